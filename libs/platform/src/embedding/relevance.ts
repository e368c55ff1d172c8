import type { EncoderCard } from './encoder-card.js';

/** What is known about one memory for one question in one encoder's space. */
export interface RelevanceInput {
  /** Best cosine over the memory's parts; undefined when it has no vector of this encoder (yet). */
  readonly cosine: number | undefined;
  /** bm25 / max bm25 over the candidates of this question, 0..1; 0 when no candidate shares a word. */
  readonly keyword: number;
}

/**
 * How probable it is that a memory answers a question, 0..1: `logistic(a + b·cosine + c·keyword)` with the coefficients of
 * the card. Values of different encoders are comparable, their cosines are not. A memory without a vector counts as far
 * away as an unrelated one, so that its words alone can still bring it up.
 */
export function calibratedRelevance(card: EncoderCard, { cosine, keyword }: RelevanceInput): number {
  const { a, b, c } = card.calibration;
  return 1 / (1 + Math.exp(-(a + b * (cosine ?? card.medianUnrelated) + c * keyword)));
}

/** The default of min_similarity: the relevance of a text at the card's candidate threshold that shares no word. */
export function minimumRelevance(card: EncoderCard): number {
  return calibratedRelevance(card, { cosine: card.thresholds.candidate.cosine, keyword: 0 });
}
