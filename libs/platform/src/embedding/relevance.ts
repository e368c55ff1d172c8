import { type Calibration, matchOdds, relevance } from '@tempera/core';
import type { EncoderCard } from './encoder-card.js';

/** A card's coefficients in the words of the rule. */
export function calibrationOf({ calibration: { a, b, c }, medianUnrelated }: EncoderCard): Calibration {
  return { intercept: a, cosine: b, keyword: c, unrelatedCosine: medianUnrelated };
}

/** The default of min_similarity: the relevance of a text at the card's candidate threshold that shares no word. */
export function minimumRelevance(card: EncoderCard): number {
  return relevance(matchOdds({ cosine: card.thresholds.candidate.cosine, keyword: 0 }, calibrationOf(card)));
}
