import { AppError, isAppError } from '@tempera/client-kit';
import { chooseEncoders } from './choose-encoders.js';
import { withinDeadline } from './deadline.js';
import type { Embedded, EmbedOptions, MissingEmbedding, QuestionEmbedding, TextEmbedding } from './embedded.js';
import { type EncoderCard, ENCODER_NAMES, type EncoderName } from './encoder-card.js';
import { ENCODER_CARDS } from './encoder-catalogue.js';
import { EncoderSlot, type EncoderStatus } from './encoder-slot.js';
import type { Encoder, LoadEncoder } from './encoder.js';
import { readableText } from './readable-text.js';
import { splitText } from './split-text.js';
import { WorkQueue } from './work-queue.js';

export interface EncoderPoolOptions {
  readonly load: LoadEncoder;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  readonly cards?: Readonly<Record<EncoderName, EncoderCard>>;
  /** Pieces of text that may wait; a long text waits with one piece at a time. Default 256. */
  readonly queueCapacity?: number;
  /** How long a failed load is believed before the next try. Default 5000. */
  readonly retryAfterMs?: number;
}

const QUESTION_DEADLINE_MS = 5_000;
const TEXT_DEADLINE_MS = 60_000;
/** No window holds more; cutting a long question first keeps tokenising it cheap. */
const QUESTION_CHARACTERS = 8_000;

/** Milliseconds left of one call's deadline. */
type TimeLeft = () => number;

/** All encoders of a process: each loaded at first use, one inference at a time, questions before texts. */
export class EncoderPool {
  private readonly slots: Readonly<Record<EncoderName, EncoderSlot>>;
  private readonly queue: WorkQueue;
  private readonly now: () => number;

  constructor({ load, now, cards = ENCODER_CARDS, queueCapacity = 256, retryAfterMs = 5_000 }: EncoderPoolOptions) {
    const slot = (name: EncoderName): EncoderSlot => new EncoderSlot({ card: cards[name], load, now, retryAfterMs });
    this.slots = { 'bge-small-en-v1.5': slot('bge-small-en-v1.5'), 'bge-small-zh-v1.5': slot('bge-small-zh-v1.5') };
    this.queue = new WorkQueue(queueCapacity);
    this.now = now;
  }

  /** How each encoder fares, without trying anything. */
  statuses(): EncoderStatus[] {
    return ENCODER_NAMES.map((name) => this.slots[name].status);
  }

  /** Loads what is not loaded yet and says how it went; a missing or refused model is an answer, not an error. */
  async prepare(names: readonly EncoderName[] = ENCODER_NAMES): Promise<EncoderStatus[]> {
    await Promise.allSettled(names.map((name) => this.slots[name].get()));
    return names.map((name) => this.slots[name].status);
  }

  /**
   * The encoders that would read this text: those of its language, as far as they are active. None means that words
   * alone find it; the wrong encoder would find less (R@5 .46 against .98 on Chinese paraphrases) and rank it wrongly.
   */
  chosen(text: string, { active = ENCODER_NAMES, exactly }: EmbedOptions = {}): readonly EncoderName[] {
    if (exactly) return exactly;
    return chooseEncoders(text).filter((name) => active.includes(name));
  }

  /** The most tokens the text has for any encoder that would read it and is ready; undefined while none is. */
  async countTokens(text: string, options: EmbedOptions = {}): Promise<number | undefined> {
    const encoders = await Promise.allSettled(this.chosen(text, options).map((name) => this.slots[name].get()));
    const counts = encoders.flatMap((found) =>
      found.status === 'fulfilled' ? found.value.countTokens(readableText(found.value.card, text)) : [],
    );
    return counts.length > 0 ? Math.max(...counts) : undefined;
  }

  /** Vectors of a text to be remembered: of every part, without prefix. */
  embedText(text: string, options: EmbedOptions = {}): Promise<Embedded<TextEmbedding>> {
    return this.withEach(this.chosen(text, options), options.deadlineMs ?? TEXT_DEADLINE_MS, async (encoder, left) => {
      const parts: Float32Array[] = [];
      const readable = readableText(encoder.card, text);
      for (const part of splitText(readable, encoder.card.partTokens, (piece) => encoder.countTokens(piece))) {
        parts.push(await this.queue.run('text', left(), () => encoder.embed(part)));
      }
      return { encoder: encoder.id, card: encoder.card, parts };
    });
  }

  /** Vectors of a question, with the prefix of each card. */
  embedQuestion(text: string, options: EmbedOptions = {}): Promise<Embedded<QuestionEmbedding>> {
    const question = text.slice(0, QUESTION_CHARACTERS);
    const names = this.chosen(question, options);
    return this.withEach(names, options.deadlineMs ?? QUESTION_DEADLINE_MS, async (encoder, left) => {
      const prefixed = encoder.card.queryPrefix + readableText(encoder.card, question);
      const vector = await this.queue.run('question', left(), () => encoder.embed(prefixed));
      return { encoder: encoder.id, card: encoder.card, vector };
    });
  }

  /** Frees the native sessions; for shutdown. */
  async dispose(): Promise<void> {
    await Promise.all(ENCODER_NAMES.map((name) => this.slots[name].dispose()));
  }

  private async withEach<T>(
    names: readonly EncoderName[],
    deadlineMs: number,
    work: (encoder: Encoder, left: TimeLeft) => Promise<T>,
  ): Promise<Embedded<T>> {
    const end = this.now() + deadlineMs;
    const left = (): number => Math.max(0, end - this.now());
    const embeddings: T[] = [];
    const missing: MissingEmbedding[] = [];
    for (const name of names) {
      try {
        embeddings.push(await work(await withinDeadline(this.slots[name].get(), left()), left));
      } catch (cause) {
        missing.push({ name, error: asUnavailable(name, cause) });
      }
    }
    return { embeddings, missing };
  }
}

function asUnavailable(name: EncoderName, cause: unknown): AppError {
  if (isAppError(cause)) return cause;
  return new AppError('unavailable', 'encoder-failed', `${name} failed on a text.`, { cause });
}
