import type { EncoderCard, EncoderId } from './encoder-card.js';

/**
 * Turns one text, as readableText gives it, into one unit vector. The same text always gives the same vector.
 * EncoderPool is the door to it for everyone else.
 */
export interface Encoder {
  readonly id: EncoderId;
  readonly card: EncoderCard;
  /** Tokens of the text, special tokens not counted. Takes about 0.5 µs a character. */
  countTokens(text: string): number;
  /** Unit vector of `card.dimensions` numbers. What lies beyond the window is not read: split long texts first. */
  embed(text: string): Promise<Float32Array>;
  /** Frees the native session. The encoder must not be used afterwards. */
  dispose(): Promise<void>;
}

/** Loads the encoder of a card. @throws AppError `unavailable` (files or library missing) or EncoderRefused. */
export type LoadEncoder = (card: EncoderCard) => Promise<Encoder>;
