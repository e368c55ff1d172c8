import type { EncoderId } from './encoder-card.js';

/** A text that an encoder is to read. */
export interface ReadingStart {
  readonly encoder: EncoderId;
  /** A question is read as one piece with the prefix of the card, a text to be remembered in parts. */
  readonly kind: 'question' | 'text';
  readonly text: string;
}

/** What one unit of work gave. */
export interface ReadingProgress {
  /** Vectors of the next parts, in the order of the text; a unit that only counted tokens has none. */
  readonly vectors: readonly Float32Array[];
  readonly isDone: boolean;
}

/**
 * Where encoders run: in a thread of their own (EncoderThread), or in this one (EncoderDesk). A long text is read in units,
 * each about as long as the reading of one full part, so that whoever comes next waits for one unit and not for the text.
 */
export interface EncoderHost {
  /** Makes an encoder ready. @throws AppError `unavailable` (files missing, refused, or the thread was lost) */
  load(encoder: EncoderId): Promise<EncoderId>;
  /**
   * Does the next unit of a reading.
   * @param reading a number of the caller's
   * @param start with the first unit only
   * @throws AppError `unavailable`: encoder-crashed (this unit ended the thread), encoder-lost (another did)
   */
  advance(reading: number, start?: ReadingStart): Promise<ReadingProgress>;
  /** Gives up a reading; one that is done needs no forgetting. */
  forget(reading: number): void;
  /** Told whenever loaded encoders are gone and must be loaded again. */
  onLost(listener: () => void): void;
  /** Ends after the unit at hand. */
  close(): Promise<void>;
}
