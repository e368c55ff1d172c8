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

/** How a memory's words matched, beside what the question's words could find at best. */
export interface WordMatch {
  /** BM25, 0 or more; 0 without a common term. */
  readonly bm25: number;
  /** The largest BM25 among this query's candidates; 0 if none has any. */
  readonly maxBm25: number;
  /** The largest share of the question's keyword weight (summed rarity of its terms) that one candidate holds, 0..1. */
  readonly coverage: number;
}

/**
 * The keyword part, 0..1: BM25 as a share of the query's best, and of no more than that best covers. Without the second
 * factor the best of a query counts as a full match even where it shares one common word with the question.
 */
export const keywordPart = ({ bm25, maxBm25, coverage }: WordMatch): number =>
  maxBm25 > 0 ? clamp01(bm25 / maxBm25) * clamp01(coverage) : 0;

/** How a memory matched, by its best part and best view in each leg. */
export interface Match {
  /** -1..1; null without a vector of this encoder: it counts as far away as an unrelated memory, so that its words decide. */
  readonly cosine: number | null;
  /** See {@link keywordPart}. */
  readonly keyword: number;
}

/**
 * How probable it is that a memory answers the question, 0..1: `logistic(a + b·cosine + c·keyword)`. Values of different
 * encoders are comparable, their cosines are not.
 */
export const calibratedRelevance = ({ cosine, keyword }: Match, calibration: Calibration): number =>
  logistic(
    calibration.intercept +
      calibration.cosine * (cosine ?? calibration.unrelatedCosine) +
      calibration.keyword * keyword,
  );

/** The logistic function; exact at both ends, because `exp` may overflow to infinity but never to NaN. */
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
