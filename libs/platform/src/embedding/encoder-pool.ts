import { AppError, isAppError } from '@tempera/client-kit';
import { chooseEncoders } from './choose-encoders.js';
import { withinDeadline } from './deadline.js';
import type { Embedded, EmbedOptions, MissingEmbedding, QuestionEmbedding, TextEmbedding } from './embedded.js';
import type { EncoderCard, EncoderId } from './encoder-card.js';
import { type ActiveEncoders, cardsOf, STANDARD_ENCODERS } from './encoder-catalogue.js';
import type { EncoderHost, ReadingStart } from './encoder-host.js';
import { EncoderQueue, type EncoderQueueOptions, type Urgency } from './encoder-queue.js';
import { encoderUnknown } from './encoder-refused.js';
import { EncoderSlot, type EncoderStatus } from './encoder-slot.js';
import { ReadingWatch, watchEncoders } from './encoder-watch.js';

export interface EncoderPoolOptions extends EncoderQueueOptions {
  /** Where the encoders run; the pool closes it. */
  readonly host: EncoderHost;
  /** Encoders beside the standard ones, which the host knows too. */
  readonly further?: readonly EncoderCard[];
  /** How long a failed load is believed before the next try. Default 5000. */
  readonly retryAfterMs?: number;
}

const QUESTION_DEADLINE_MS = 5_000;
const LOAD_PATIENCE_MS = 60_000;
const WORK_MS = 60_000;
/** No window holds more; cutting a long question first keeps tokenising it cheap. */
const QUESTION_CHARACTERS = 8_000;

/** Milliseconds left of one call's deadline. */
type TimeLeft = () => number;

/** All encoders of a process: each loaded at first use, one unit of work at a time in the order of EncoderQueue. */
export class EncoderPool {
  /** By encoder, the standard ones first. */
  readonly cards: ReadonlyMap<EncoderId, EncoderCard>;
  private readonly slots: ReadonlyMap<EncoderId, EncoderSlot>;
  private readonly queue: EncoderQueue;
  private readonly host: EncoderHost;
  private readonly now: () => number;
  private readonly unwatch: () => void;
  private readings = 0;

  constructor({ host, now, further = [], retryAfterMs = 5_000, ...bounds }: EncoderPoolOptions) {
    const load = (encoder: EncoderId): Promise<EncoderId> => host.load(encoder);
    this.cards = cardsOf(further);
    this.slots = new Map([...this.cards].map(([id, card]) => [id, new EncoderSlot({ card, load, now, retryAfterMs })]));
    this.queue = new EncoderQueue({ now, ...bounds });
    this.host = host;
    this.now = now;
    host.onLost(() => this.forgetLoaded());
    this.unwatch = watchEncoders(this);
  }

  /** Texts that wait, by urgency. */
  waiting(): Readonly<Record<Urgency, number>> {
    return this.queue.waiting();
  }

  /** How each encoder fares, without trying anything. */
  statuses(): EncoderStatus[] {
    return [...this.slots.values()].map(({ status }) => status);
  }

  /** Loads what is not loaded yet and says how it went; a missing or refused model is an answer, not an error. */
  async prepare(encoders: readonly EncoderId[] = [...this.cards.keys()]): Promise<EncoderStatus[]> {
    const slots = encoders.flatMap((encoder) => this.slots.get(encoder) ?? []);
    await Promise.allSettled(slots.map((slot) => slot.get()));
    return slots.map(({ status }) => status);
  }

  /**
   * The encoders that would read this text: those of its language, as far as they are active. None means that words
   * alone find it; the wrong encoder would find less (R@5 .46 against .98 on Chinese paraphrases) and rank it wrongly.
   */
  chosen(text: string, { active = STANDARD_ENCODERS, exactly }: EmbedOptions = {}): readonly EncoderId[] {
    return exactly ?? encodersOf(text, active);
  }

  /** Vectors of a text to be remembered: of every part, without prefix. */
  embedText(text: string, options: EmbedOptions = {}): Promise<Embedded<TextEmbedding>> {
    const { urgency = 'backlog', deadlineMs = Number.POSITIVE_INFINITY } = options;
    return this.withEach(this.chosen(text, options), deadlineMs, async (id, card, left) => {
      const start = { encoder: id, kind: 'text', text } as const;
      const { encoder, vectors: parts } = await this.read(start, { ...options, urgency, deadlineMs: left() });
      return { encoder, card, parts };
    });
  }

  /** Vectors of a question, with the prefix of each card. */
  embedQuestion(text: string, options: EmbedOptions = {}): Promise<Embedded<QuestionEmbedding>> {
    const { deadlineMs = QUESTION_DEADLINE_MS } = options;
    const question = text.slice(0, QUESTION_CHARACTERS);
    return this.withEach(this.chosen(question, options), deadlineMs, async (id, card, left) => {
      const start = { encoder: id, kind: 'question', text: question } as const;
      const { encoder, vectors } = await this.read(start, { ...options, urgency: 'question', deadlineMs: left() });
      const [vector] = vectors;
      if (vector === undefined) throw new Error('A question has one vector.');
      return { encoder, card, vector };
    });
  }

  /** Ends after the unit at hand and frees the encoders; for shutdown. */
  async dispose(): Promise<void> {
    this.unwatch();
    this.forgetLoaded();
    await this.host.close();
  }

  /** Has one text read by one encoder, unit by unit, each when its turn comes. */
  private async read(start: ReadingStart, options: ReadOptions): Promise<Read> {
    this.readings += 1;
    const reading = this.readings;
    const vectors: Float32Array[] = [];
    let encoder: EncoderId | undefined;
    const watch = new ReadingWatch({ ...start, urgency: options.urgency }, this.now);
    const advance = async (): Promise<boolean> => {
      const isFirst = encoder === undefined;
      // Loaded already when the text was queued, but the thread may have been lost since.
      encoder ??= await this.slotOf(start.encoder).get();
      const progress = await watch.unit(() => this.host.advance(reading, isFirst ? start : undefined));
      vectors.push(...progress.vectors);
      return progress.isDone;
    };
    const { tenantId: tenant = '', workMs = WORK_MS, urgency, deadlineMs, signal } = options;
    const place = { tenant, workMs, urgency, deadlineMs, size: Buffer.byteLength(start.text) };
    const request = signal === undefined ? place : { ...place, signal };
    await this.queue.run(request, { advance, abandon: () => this.host.forget(reading) }).catch((error: unknown) => {
      watch.failed(error);
      throw error;
    });
    watch.done();
    if (encoder === undefined) throw new Error('Nothing was read.');
    return { encoder, vectors };
  }

  private forgetLoaded(): void {
    for (const slot of this.slots.values()) slot.reset();
  }

  private slotOf(encoder: EncoderId): EncoderSlot {
    const slot = this.slots.get(encoder);
    if (slot === undefined) throw encoderUnknown(encoder);
    return slot;
  }

  private async withEach<T>(
    encoders: readonly EncoderId[],
    deadlineMs: number,
    work: (encoder: EncoderId, card: EncoderCard, left: TimeLeft) => Promise<T>,
  ): Promise<Embedded<T>> {
    const end = this.now() + deadlineMs;
    const left = (): number => Math.max(0, end - this.now());
    const embeddings: T[] = [];
    const missing: MissingEmbedding[] = [];
    for (const id of encoders) {
      try {
        const slot = this.slotOf(id);
        await withinDeadline(slot.get(), Math.min(left(), LOAD_PATIENCE_MS));
        embeddings.push(await work(id, slot.card, left));
      } catch (cause) {
        missing.push({ encoder: id, error: asUnavailable(id, cause) });
      }
    }
    return { embeddings, missing };
  }
}

interface ReadOptions extends Pick<EmbedOptions, 'tenantId' | 'workMs' | 'signal'> {
  readonly urgency: Urgency;
  readonly deadlineMs: number;
}

/** What one encoder made of one text. */
interface Read {
  readonly encoder: EncoderId;
  readonly vectors: readonly Float32Array[];
}

/** The encoders that would read a text, of those that are active. */
export function encodersOf(text: string, active: ActiveEncoders): EncoderId[] {
  return chooseEncoders(text).map((name) => active[name]);
}

function asUnavailable(encoder: EncoderId, cause: unknown): AppError {
  if (isAppError(cause)) return cause;
  return new AppError('unavailable', 'encoder-failed', `${encoder.replace(/@.*/, '')} failed on a text.`, { cause });
}
