import { AppError, isAppError } from '@tempera/client-kit';
import { type EncoderCard, type EncoderId, encoderIdOf, type EncoderName } from './encoder-card.js';

/** `refused`: files are there, but not those of the card; a person has to act. `unavailable`: tried again later. */
export type EncoderState = 'idle' | 'loading' | 'ready' | 'unavailable' | 'refused';

/** What is known about one encoder, for status pages and readiness. */
export interface EncoderStatus {
  readonly name: EncoderName;
  /** The one of its card, loaded or not. */
  readonly encoder: EncoderId;
  readonly state: EncoderState;
  /** Present once ready. */
  readonly id?: EncoderId;
  /** Why it is unavailable or refused. */
  readonly reason?: string;
}

interface SlotOptions {
  readonly card: EncoderCard;
  readonly load: (encoder: EncoderId) => Promise<EncoderId>;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  /** How long a failed load is believed before the next try. */
  readonly retryAfterMs: number;
}

/** One encoder through its life: loaded at first use, tried again after a failure, never loaded twice at once. */
export class EncoderSlot {
  private state: EncoderState = 'idle';
  private id: EncoderId | undefined;
  private failure: AppError | undefined;
  private failedAt = 0;
  private loading: Promise<EncoderId> | undefined;

  constructor(private readonly options: SlotOptions) {}

  get card(): EncoderCard {
    return this.options.card;
  }

  get status(): EncoderStatus {
    const { name } = this.options.card;
    const known = { name, encoder: encoderIdOf(this.options.card), state: this.state };
    if (this.id) return { ...known, id: this.id };
    return this.failure ? { ...known, reason: this.failure.message } : known;
  }

  /** The id of the loaded encoder. @throws AppError `unavailable` when it cannot be loaded; files that arrive later are found. */
  async get(): Promise<EncoderId> {
    if (this.id) return this.id;
    if (this.loading) return this.loading;
    const isFresh = this.options.now() - this.failedAt < this.options.retryAfterMs;
    if (this.failure && isFresh) throw this.failure;
    this.loading = this.load();
    return this.loading;
  }

  /** What was loaded is gone; the next use loads it again. */
  reset(): void {
    if (this.id === undefined) return;
    this.id = undefined;
    this.state = 'idle';
  }

  private async load(): Promise<EncoderId> {
    this.state = 'loading';
    try {
      this.id = await this.options.load(encoderIdOf(this.options.card));
      this.failure = undefined;
      this.state = 'ready';
      return this.id;
    } catch (error) {
      this.failure = asUnavailable(this.options.card, error);
      this.failedAt = this.options.now();
      this.state = this.failure.code === 'encoder-refused' ? 'refused' : 'unavailable';
      throw this.failure;
    } finally {
      this.loading = undefined;
    }
  }
}

function asUnavailable(card: EncoderCard, cause: unknown): AppError {
  if (isAppError(cause)) return cause;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new AppError('unavailable', 'encoder-unavailable', `${card.name} could not be loaded: ${detail}`, { cause });
}
