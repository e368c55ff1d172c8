import {
  assess,
  type ContextualEvidence,
  daysBetween,
  keywordPart,
  type Score,
  scoreMemory,
  type WordMatch,
} from '@tempera/core';
import { relevanceOf } from './candidate-relevance.js';
import { voicesFor, weighVoices } from './candidate-votes.js';
import type { RankingContext } from './ranking-context.js';
import type { SearchCandidate } from './search-candidate.js';

/** A candidate in its place, with every part of its score. */
export interface RankedMemory {
  readonly candidate: SearchCandidate;
  /** 1 is the first. */
  readonly place: number;
  /** Its place had nobody ever voted, credited or lent anything. */
  readonly placeWithoutLearning: number;
  /** The cosine that counted; null without a vector. */
  readonly cosine: number | null;
  /** BM25 as a share of what the question's words could find, 0..1. */
  readonly keyword: number;
  readonly context: ContextualEvidence;
  readonly parts: Score;
  /** What it was ordered by: the parts' score after the recall rules. */
  readonly score: number;
}

/** The shipped recall rules: pinned memories that are near come first, and the newest are ahead of equals. */
const NEW_DAYS = 3;
const NEW_BOOST = 1.01;

/**
 * Puts candidates in order: relevance by their encoder's calibration, moved by what people found. What is less relevant
 * than min_similarity is left out, unless a very like question found it helpful, or nothing but its words is known yet.
 */
export function rankCandidates(candidates: readonly SearchCandidate[], context: RankingContext): RankedMemory[] {
  const best = {
    maxBm25: Math.max(0, ...candidates.map(({ bm25 }) => bm25)),
    coverage: Math.max(0, ...candidates.map(({ covered }) => covered)),
  };
  const scored = candidates.flatMap((candidate) => scoreCandidate(candidate, best, context) ?? []);
  const unlearned = inOrder(scored, ({ unlearnedScore }) => unlearnedScore);
  const places = new Map(unlearned.map((item, index) => [item, index + 1]));
  return inOrder(scored, ({ score }) => score).map((item, index) => {
    const { unlearnedScore: _, leads: __, ...ranked } = item;
    return { ...ranked, place: index + 1, placeWithoutLearning: places.get(item) ?? index + 1 };
  });
}

type Scored = Omit<RankedMemory, 'place' | 'placeWithoutLearning'> & {
  readonly unlearnedScore: number;
  readonly leads: boolean;
};

function scoreCandidate(
  candidate: SearchCandidate,
  best: Omit<WordMatch, 'bm25'>,
  context: RankingContext,
): Scored | null {
  const { askerId, now, settings } = context;
  const keyword = keywordPart({ bm25: candidate.bm25, ...best });
  const voices = voicesFor(candidate, context);
  const helpedAlike = voices.some(({ helpful, isLike }) => helpful && isLike);
  const match = relevanceOf(candidate, keyword, helpedAlike, context);
  if (match === null) return null;
  const votes = weighVoices(voices, context);
  const assessment = assess({
    votes: { helpful: candidate.helpful, unhelpful: candidate.unhelpful },
    credit: candidate.credit,
    propagated: candidate.propagated,
    reached: candidate.reached,
    validity: candidate.validity,
    pinned: candidate.pinned,
    daysSinceUseful: daysBetween(candidate.lastUsefulAt, now),
    noneRate: settings.bellman.decayRate,
  });
  const ageDays = daysBetween(candidate.endedAt, now);
  const parts = scoreMemory(
    {
      relevance: match.relevance,
      standing: {
        verified: candidate.isVerified,
        helpedOthers: candidate.helpfulOthers > 0,
        isOwn: candidate.ownerId === askerId,
      },
      net: votes.net,
      rankingInput: assessment.rankingInput,
      utility: assessment.utility,
      ageDays,
    },
    settings.retrieval,
  );
  const rule = ageDays <= NEW_DAYS ? NEW_BOOST : 1;
  const score = parts.score * rule;
  return {
    candidate,
    cosine: match.cosine,
    keyword,
    context: votes,
    parts,
    score,
    unlearnedScore: parts.scoreWithoutLearning * rule,
    leads: candidate.pinned && match.isNear,
  };
}

/** What is pinned and near before the rest, then by score; ties by id, so that an answer never depends on the order of rows. */
function inOrder(scored: readonly Scored[], scoreOf: (item: Scored) => number): Scored[] {
  return [...scored].sort(
    (one, other) =>
      Number(other.leads) - Number(one.leads) ||
      scoreOf(other) - scoreOf(one) ||
      (one.candidate.id < other.candidate.id ? -1 : 1),
  );
}
