import {
  assess,
  contextualEvidence,
  type ContextualEvidence,
  countsInContext,
  daysBetween,
  questionKinship,
  type Score,
  scoreMemory,
  type Settings,
  type UserId,
} from '@tempera/core';
import { calibratedRelevance, type EncoderCard, type EncoderId, minimumRelevance } from '../embedding/exports.js';
import type { SearchCandidate } from './search-candidate.js';

/** Who asks, when, and by which rules the candidates are put in order. */
export interface RankingContext {
  readonly askerId: UserId;
  readonly now: Date;
  /** The cards of the encoders that read the question. */
  readonly cards: ReadonlyMap<EncoderId, EncoderCard>;
  /** The card of the question's language, for memories and questions without vectors. */
  readonly defaultCard: EncoderCard;
  readonly settings: Settings;
}

/** A candidate in its place, with every part of its score. */
export interface RankedMemory {
  readonly candidate: SearchCandidate;
  /** 1 is the first. */
  readonly place: number;
  /** Its place had nobody ever voted, credited or lent anything. */
  readonly placeWithoutLearning: number;
  /** The cosine that counted; null without a vector. */
  readonly cosine: number | null;
  /** BM25 as a share of the question's best, 0..1. */
  readonly keyword: number;
  readonly context: ContextualEvidence;
  readonly parts: Score;
  /** What it was ordered by: the parts' score after the recall rules. */
  readonly score: number;
}

/** The shipped recall rules: pinned memories come first, and the newest are ahead of equals. */
const NEW_DAYS = 3;
const NEW_BOOST = 1.01;

/**
 * Puts candidates in order: relevance by their encoder's calibration, moved by what people found. What is less relevant
 * than min_similarity is left out, unless a very like question found it helpful, or nothing but its words is known yet.
 */
export function rankCandidates(candidates: readonly SearchCandidate[], context: RankingContext): RankedMemory[] {
  const maxBm25 = Math.max(0, ...candidates.map(({ bm25 }) => bm25));
  const scored = candidates.flatMap((candidate) => scoreCandidate(candidate, maxBm25, context) ?? []);
  const unlearned = inOrder(scored, ({ unlearnedScore }) => unlearnedScore);
  const places = new Map(unlearned.map((item, index) => [item, index + 1]));
  return inOrder(scored, ({ score }) => score).map((item, index) => {
    const { unlearnedScore: _, ...ranked } = item;
    return { ...ranked, place: index + 1, placeWithoutLearning: places.get(item) ?? index + 1 };
  });
}

type Scored = Omit<RankedMemory, 'place' | 'placeWithoutLearning'> & { readonly unlearnedScore: number };

function scoreCandidate(candidate: SearchCandidate, maxBm25: number, context: RankingContext): Scored | null {
  const { askerId, now, settings } = context;
  const keyword = maxBm25 > 0 ? candidate.bm25 / maxBm25 : 0;
  const match = relevanceOf(candidate, keyword, context);
  if (match === null) return null;
  const votes = contextOf(candidate, context);
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
  };
}

interface RelevanceMatch {
  readonly relevance: number;
  readonly cosine: number | null;
}

/** The best reading over the encoders; null where it is not relevant enough. */
function relevanceOf(candidate: SearchCandidate, keyword: number, context: RankingContext): RelevanceMatch | null {
  const { minSimilarity } = context.settings.retrieval;
  const readings = readingsOf(candidate, context).map(({ card, cosine }) => ({
    cosine: cosine ?? null,
    relevance: calibratedRelevance(card, { cosine, keyword }),
    least: minSimilarity ?? minimumRelevance(card),
  }));
  const best = readings.reduce((one, other) => (other.relevance > one.relevance ? other : one));
  if (candidate.votes.some(({ helpful, isLike }) => helpful && isLike)) {
    return { cosine: best.cosine, relevance: Math.max(best.relevance, best.least) };
  }
  const isOnlyWords = best.cosine === null && candidate.bm25 > 0;
  return isOnlyWords || best.relevance >= best.least ? best : null;
}

interface Reading {
  readonly card: EncoderCard;
  readonly cosine: number | undefined;
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
  return first === undefined ? [{ card: defaultCard, cosine: undefined }] : [first, ...rest];
}

/**
 * Votes for like questions, each once by its nearest reading. Each encoder has its own tau, so kinship is worked out here
 * and handed on as a cosine above 0.
 */
function contextOf({ votes, ownerId, scope }: SearchCandidate, context: RankingContext): ContextualEvidence {
  const { askerId, cards, settings } = context;
  const nearest = new Map<string, { user: string; helpful: boolean; cosine: number }>();
  for (const { userId, retrievalId, helpful, encoder, cosine } of votes) {
    const tau = cards.get(encoder)?.thresholds.tau.cosine;
    const counts = countsInContext({ voterId: userId, authorId: ownerId, askerId, shared: scope !== 'private' });
    if (tau === undefined || !counts) continue;
    const key = `${userId} ${retrievalId}`;
    const kinship = Math.max(questionKinship(cosine, tau), nearest.get(key)?.cosine ?? 0);
    nearest.set(key, { user: userId, helpful, cosine: kinship });
  }
  const { contextCap: cap, contextNu: nu, contextLambda: lambda } = settings.retrieval;
  return contextualEvidence([...nearest.values()], { tau: 0, cap, nu, lambda });
}

/** Pinned before the rest, then by score; ties by id, so that an answer never depends on the order of rows. */
function inOrder(scored: readonly Scored[], scoreOf: (item: Scored) => number): Scored[] {
  return [...scored].sort(
    (one, other) =>
      Number(other.candidate.pinned) - Number(one.candidate.pinned) ||
      scoreOf(other) - scoreOf(one) ||
      (one.candidate.id < other.candidate.id ? -1 : 1),
  );
}
