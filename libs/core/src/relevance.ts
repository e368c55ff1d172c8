/** How well a memory answers a question, before anything learned (docs/design.md, "Relevance"). */
import { clamp01 } from './clamp.js';

/** Calibration of one encoder, fitted on the development sets; on its card. */
export interface Calibration {
  readonly intercept: number;
  readonly cosine: number;
  readonly keyword: number;
  /** Median cosine of unrelated pairs, which stands in where a memory has no vector yet. */
  readonly unrelatedCosine: number;
}

/** How a memory matched, by its best part and best view in each leg. */
export interface Match {
  /** -1..1; null without a vector of this encoder. */
  readonly cosine: number | null;
  /** BM25, 0 or more; 0 without a common term. */
  readonly bm25: number;
  /** The largest BM25 among this query's candidates; 0 if none has any. */
  readonly maxBm25: number;
}

export interface Relevance {
  /** Calibrated probability that the memory answers the question, 0..1. */
  readonly relevance: number;
  /** The cosine that counted. */
  readonly cosine: number;
  /** BM25 as a share of the query's best, 0..1. */
  readonly keyword: number;
}

/** `logistic(a + b·cosine + c·bm25/max bm25)` with its parts. */
export const calibratedRelevance = (match: Match, calibration: Calibration): Relevance => {
  const cosine = match.cosine ?? calibration.unrelatedCosine;
  const keyword = match.maxBm25 > 0 ? clamp01(match.bm25 / match.maxBm25) : 0;
  const relevance = logistic(calibration.intercept + calibration.cosine * cosine + calibration.keyword * keyword);
  return { relevance, cosine, keyword };
};

/** The logistic function; exact at both ends, because `exp` may overflow to infinity but never to NaN. */
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
