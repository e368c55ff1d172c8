import type { AppError } from '@tempera/client-kit';
import type { EncoderCard, EncoderId } from './encoder-card.js';
import type { ActiveEncoders } from './encoder-catalogue.js';

/** The vectors of one text in one encoder's space, one per part, in the order of the text. */
export interface TextEmbedding {
  readonly encoder: EncoderId;
  readonly card: EncoderCard;
  readonly parts: readonly Float32Array[];
}

/** The vector of one question in one encoder's space. */
export interface QuestionEmbedding {
  readonly encoder: EncoderId;
  readonly card: EncoderCard;
  readonly vector: Float32Array;
}

/** An encoder that should have read the text and could not: not loaded, too busy, too slow, or failed. */
export interface MissingEmbedding {
  readonly encoder: EncoderId;
  /** Of kind `unavailable`. */
  readonly error: AppError;
}

/** Trouble with an encoder is an expected outcome, so it is an answer: whoever captures tries the missing ones later. */
export interface Embedded<T> {
  readonly embeddings: readonly T[];
  readonly missing: readonly MissingEmbedding[];
}

export interface EmbedOptions {
  /** The encoders that are active for the tenant; default the standard ones. */
  readonly active?: ActiveEncoders;
  /** Exactly these, instead of choosing by language: a repair of missing vectors. */
  readonly exactly?: readonly EncoderId[];
  /** From now, for all encoders together; waiting, loading and working count. A text waits for its turns by default. */
  readonly deadlineMs?: number;
  /** What the reading itself may take by each encoder, without waiting. Default 60,000. */
  readonly workMs?: number;
  /** Gives it up: for shutdown. */
  readonly signal?: AbortSignal;
  /** Whose text it is: tenants take turns. */
  readonly tenantId?: string;
  /** Of a text to be remembered: whether its author waits. Default `backlog`. */
  readonly urgency?: 'capture' | 'backlog';
}
