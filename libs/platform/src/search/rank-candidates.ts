import {
  assess,
  borneOut,
  type ContextualEvidence,
  daysBetween,
  judgeByRules,
  type Judgement,
  orderByRules,
  type RuledMemory,
  type Score,
  relevance,
  scoreMemory,
  SHIPPED_RULES,
} from '@tempera/core';
import { readCandidates, type Reading, type RelevanceMatch, relevanceOf } from './candidate-relevance.js';
import { type Voice, voicesFor, weighVoices } from './candidate-votes.js';
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
  /** How much of the question its words cover, 0..1; see core's keywordPart. */
  readonly keyword: number;
  /** How alike the question and it are, 0..1, for a person; see core's likeness. */
  readonly likeness: number;
  /** Its relevance by itself, before what came earlier in its session raised it. */
  readonly ownRelevance: number;
  readonly context: ContextualEvidence;
  readonly parts: Score;
  /** What it was ordered by: the parts' score after the recall rules. */
  readonly score: number;
  /** Names of the recall rules that apply to it. */
  readonly rules: readonly string[];
  /** It stands in the first class, which goes before all others. */
  readonly isFirst: boolean;
}

/**
 * Puts candidates in order: relevance by their encoder's calibration, moved by what people found. What is less relevant
 * than min_similarity is left out, unless a very like question found it helpful, or nothing but its words is known yet.
 */
export function rankCandidates(candidates: readonly SearchCandidate[], context: RankingContext): RankedMemory[] {
  const readings = readCandidates(candidates, context);
  const matched = candidates.flatMap((candidate) => {
    const reading = readings.get(candidate.id);
    return reading === undefined ? [] : (matchCandidate(candidate, reading, context) ?? []);
  });
  // A voter's standing rests on all that is compared here, so votes are weighed once it is known what is.
  const heard = borneOut(new Map(matched.map(({ candidate, voices }) => [candidate.id, voices])));
  const scored = matched.map((match) => scoreCandidate(match, heard.get(match.candidate.id) ?? [], context));
  const unlearned = orderByRules(scored, ({ unlearnedScore }) => unlearnedScore);
  const places = new Map(unlearned.map((item, index) => [item, index + 1]));
  return orderByRules(scored, ({ score }) => score).map((item, index) => {
    const { id: _id, unlearnedScore: _score, judgement, ...rest } = item;
    const ranked = { ...rest, rules: judgement.names, isFirst: judgement.isFirst };
    return { ...ranked, place: index + 1, placeWithoutLearning: places.get(item) ?? index + 1 };
  });
}

type Scored = Omit<RankedMemory, 'place' | 'placeWithoutLearning' | 'rules' | 'isFirst'> & {
  readonly id: string;
  readonly unlearnedScore: number;
  readonly judgement: Judgement;
};

/** A candidate that may be shown, with those who speak for and against it. */
interface Matched {
  readonly candidate: SearchCandidate;
  readonly reading: Reading;
  readonly match: RelevanceMatch;
  readonly voices: readonly Voice[];
}

function matchCandidate(candidate: SearchCandidate, reading: Reading, context: RankingContext): Matched | null {
  const voices = voicesFor(candidate, context);
  const helpedAlike = voices.some(({ helpful, isLike }) => helpful && isLike);
  const match = relevanceOf(candidate, reading, helpedAlike);
  return match === null ? null : { candidate, reading, match, voices };
}

function scoreCandidate(
  { candidate, reading, match }: Matched,
  heard: readonly Voice[],
  context: RankingContext,
): Scored {
  const { askerId, now, settings } = context;
  const votes = weighVoices(heard, context);
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
        verification: candidate.verification,
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
  const judgement = judgeByRules([...SHIPPED_RULES, ...context.rules], toRuled(candidate, ageDays, match.isNear));
  return {
    id: candidate.id,
    candidate,
    cosine: reading.cosine,
    keyword: reading.keyword,
    likeness: reading.likeness,
    ownRelevance: relevance(reading.own),
    context: votes,
    parts,
    score: parts.score * judgement.factor,
    unlearnedScore: parts.scoreWithoutLearning * judgement.factor,
    judgement,
  };
}

const toRuled = (candidate: SearchCandidate, ageDays: number, near: boolean): RuledMemory => ({
  kind: candidate.kind,
  tags: candidate.tags,
  scope: candidate.scope,
  authorId: candidate.ownerId,
  files: candidate.files,
  pinned: candidate.pinned,
  ageDays,
  near,
});
