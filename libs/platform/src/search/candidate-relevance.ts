import { calibratedRelevance } from '@tempera/core';
import { calibrationOf, type EncoderCard, minimumRelevance } from '../embedding/exports.js';
import type { RankingContext } from './ranking-context.js';
import type { SearchCandidate } from './search-candidate.js';

/** How relevant a candidate is by the encoder that finds it most so. */
export interface RelevanceMatch {
  readonly relevance: number;
  /** The cosine that counted; null without a vector. */
  readonly cosine: number | null;
  /** Reaches min_similarity. */
  readonly isNear: boolean;
}

/**
 * The best reading over the encoders; null where it is less relevant than min_similarity, unless a very like question found
 * it helpful, or nothing but its words is known yet.
 */
export function relevanceOf(
  candidate: SearchCandidate,
  keyword: number,
  helpedAlike: boolean,
  context: RankingContext,
): RelevanceMatch | null {
  const { minSimilarity } = context.settings.retrieval;
  const readings = readingsOf(candidate, context).map(({ card, cosine }) => ({
    cosine,
    relevance: calibratedRelevance({ cosine, keyword }, calibrationOf(card)),
    least: minSimilarity ?? minimumRelevance(card),
  }));
  const { cosine, relevance, least } = readings.reduce((one, other) => (other.relevance > one.relevance ? other : one));
  if (relevance >= least) return { cosine, relevance, isNear: true };
  if (helpedAlike) return { cosine, relevance: least, isNear: true };
  return cosine === null && candidate.bm25 > 0 ? { cosine, relevance, isNear: false } : null;
}

interface Reading {
  readonly card: EncoderCard;
  readonly cosine: number | null;
}

/** Only vectors of an encoder that read the question too; without any, the question's language decides what is unrelated. */
function readingsOf(
  { cosines }: SearchCandidate,
  { cards, defaultCard }: RankingContext,
): readonly [Reading, ...Reading[]] {
  const [first, ...rest] = [...cosines].flatMap(([encoder, cosine]) => {
    const card = cards.get(encoder);
    return card === undefined ? [] : [{ card, cosine }];
  });
  return first === undefined ? [{ card: defaultCard, cosine: null }] : [first, ...rest];
}
