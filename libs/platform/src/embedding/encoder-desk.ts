import { AppError, isAppError } from '@tempera/client-kit';
import type { EncoderCard, EncoderId } from './encoder-card.js';
import { cardsOf } from './encoder-catalogue.js';
import { encoderUnknown } from './encoder-refused.js';
import type { EncoderHost, ReadingProgress, ReadingStart } from './encoder-host.js';
import type { Encoder, LoadEncoder } from './encoder.js';
import { readableText } from './readable-text.js';
import { cutText } from './split-text.js';

export interface EncoderDeskOptions {
  readonly load: LoadEncoder;
  /** Encoders beside the standard ones. */
  readonly further?: readonly EncoderCard[];
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
}

/** A unit ends after the step that passes this: a full part takes 70 to 100 ms, a pass of the tokenizer over 64 KiB 30 ms. */
const UNIT_MS = 50;
/** Also where parts are short or the machine is fast. */
const PARTS_PER_UNIT = 8;

/** Reads texts with the encoders of this thread, a unit at a time. EncoderThread has one at the other end. */
export class EncoderDesk implements EncoderHost {
  private readonly encoders = new Map<EncoderId, Encoder>();
  private readonly readings = new Map<number, Reading>();

  private readonly cards: ReadonlyMap<EncoderId, EncoderCard>;

  constructor(private readonly options: EncoderDeskOptions) {
    this.cards = cardsOf(options.further);
  }

  async load(id: EncoderId): Promise<EncoderId> {
    const card = this.cards.get(id);
    if (card === undefined) throw encoderUnknown(id);
    const encoder = this.encoders.get(id) ?? (await this.options.load(card));
    this.encoders.set(id, encoder);
    return encoder.id;
  }

  async advance(reading: number, start?: ReadingStart): Promise<ReadingProgress> {
    const steps = start === undefined ? this.readings.get(reading) : this.begin(start);
    if (steps === undefined) throw readingLost();
    this.readings.set(reading, steps);
    try {
      const progress = await this.unitOf(steps);
      if (progress.isDone) this.readings.delete(reading);
      return progress;
    } catch (error) {
      this.readings.delete(reading);
      throw error;
    }
  }

  forget(reading: number): void {
    this.readings.delete(reading);
  }

  /** Nothing is lost here without the whole process. */
  onLost(): void {}

  async close(): Promise<void> {
    const encoders = [...this.encoders.values()];
    this.encoders.clear();
    this.readings.clear();
    await Promise.all(encoders.map((encoder) => encoder.dispose()));
  }

  private begin({ encoder: id, kind, text }: ReadingStart): Reading {
    const encoder = this.encoders.get(id);
    if (encoder === undefined) throw readingLost();
    return kind === 'question' ? readQuestion(encoder, text) : readText(encoder, text);
  }

  private async unitOf(steps: Reading): Promise<ReadingProgress> {
    const end = this.options.now() + UNIT_MS;
    const vectors: Float32Array[] = [];
    do {
      const { value, done } = await steps.next();
      if (done === true) return { vectors, isDone: true };
      if (value !== null) vectors.push(value);
    } while (vectors.length < PARTS_PER_UNIT && this.options.now() < end);
    return { vectors, isDone: false };
  }
}

/** One step each: the vector of a part, or null after a pass of the tokenizer. */
type Reading = AsyncGenerator<Float32Array | null, void>;

async function* readText(encoder: Encoder, text: string): Reading {
  const { card } = encoder;
  for (const part of cutText(readableText(card, text), card.partTokens, (piece) => encoder.countTokens(piece))) {
    yield part === null ? null : await embed(encoder, part);
  }
}

async function* readQuestion(encoder: Encoder, question: string): Reading {
  yield await embed(encoder, encoder.card.queryPrefix + readableText(encoder.card, question));
}

async function embed(encoder: Encoder, text: string): Promise<Float32Array> {
  try {
    return await encoder.embed(text);
  } catch (cause) {
    throw isAppError(cause) ? cause : encoderFailed(encoder.card, cause);
  }
}

function encoderFailed(card: EncoderCard, cause: unknown): AppError {
  return new AppError('unavailable', 'encoder-failed', `${card.name} failed on a text.`, { cause });
}

function readingLost(): AppError {
  return new AppError('unavailable', 'encoder-lost', 'The encoder was started anew while it read the text.');
}
