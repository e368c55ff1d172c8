import {
  keywordPart,
  leastRelevance,
  likeness,
  matchOdds,
  type MemoryId,
  oddsInSession,
  relevance,
} from '@tempera/core';
import { calibrationOf, type EncoderCard, minimumRelevance } from '../embedding/exports.js';
import type { RankingContext } from './ranking-context.js';
import type { SearchCandidate } from './search-candidate.js';

/** How a candidate matched, by the encoder that finds it nearest. */
export interface Reading {
  /** The cosine that counted; null without a vector. */
  readonly cosine: number | null;
  readonly keyword: number;
  /** How alike they are, for a person; see core. */
  readonly likeness: number;
  /** Log-odds that it answers: by itself, and in the light of what came before in its session. */
  readonly own: number;
  readonly odds: number;
  /** What it must reach to be near. */
  readonly least: number;
}

/** A session is followed so many memories back. */
export const STEPS_BACK = 2;

/** How every candidate matched. */
export function readCandidates(
  candidates: readonly SearchCandidate[],
  context: RankingContext,
): ReadonlyMap<MemoryId, Reading> {
  const maxBm25 = Math.max(0, ...candidates.map(({ bm25 }) => bm25));
  const alone = new Map(
    candidates.map((candidate) => [
      candidate.id,
      readAlone(candidate, keywordPart({ ...candidate, maxBm25 }), context),
    ]),
  );
  let readings = alone;
  for (let step = 0; step < STEPS_BACK; step += 1) {
    const before = readings;
    readings = new Map(
      candidates.flatMap(({ id, precededBy, terms }) => {
        const reading = alone.get(id);
        if (reading === undefined) return [];
        const predecessor = precededBy === null ? undefined : before.get(precededBy);
        return [[id, { ...reading, odds: oddsInSession(reading.own, predecessor?.odds ?? null, terms) }]];
      }),
    );
  }
  const best = relevance(Math.max(...[...readings.values()].map(({ odds }) => odds)));
  return new Map([...readings].map(([id, one]) => [id, { ...one, least: leastRelevance(one.least, best) }]));
}

/** How relevant a candidate is. */
export interface RelevanceMatch {
  readonly relevance: number;
  /** Reaches min_similarity. */
  readonly isNear: boolean;
}

/**
 * Null where it is less relevant than min_similarity, or faint beside the best, unless a very like question found it helpful, or nothing but its
 * words is known yet.
 */
export function relevanceOf(
  { bm25 }: SearchCandidate,
  { cosine, odds, least }: Reading,
  helpedAlike: boolean,
): RelevanceMatch | null {
  const found = relevance(odds);
  if (found >= least) return { relevance: found, isNear: true };
  if (helpedAlike) return { relevance: least, isNear: true };
  return cosine === null && bm25 > 0 ? { relevance: found, isNear: false } : null;
}

function readAlone(candidate: SearchCandidate, keyword: number, context: RankingContext): Reading {
  const { minSimilarity } = context.settings.retrieval;
  const readings = vectorsOf(candidate, context).map(({ card, cosine }) => {
    const own = matchOdds({ cosine, keyword }, calibrationOf(card));
    const alike = likeness({ cosine, keyword }, card.thresholds.candidate.cosine);
    return { cosine, keyword, likeness: alike, own, odds: own, least: minSimilarity ?? minimumRelevance(card) };
  });
  return readings.reduce((one, other) => (other.own > one.own ? other : one));
}

interface Compared {
  readonly card: EncoderCard;
  readonly cosine: number | null;
}

/** Only vectors of an encoder that read the question too; without any, the question's language decides what is unrelated. */
function vectorsOf(
  { cosines }: SearchCandidate,
  { cards, defaultCard }: RankingContext,
): readonly [Compared, ...Compared[]] {
  const [first, ...rest] = [...cosines].flatMap(([encoder, cosine]) => {
    const card = cards.get(encoder);
    return card === undefined ? [] : [{ card, cosine }];
  });
  return first === undefined ? [{ card: defaultCard, cosine: null }] : [first, ...rest];
}
