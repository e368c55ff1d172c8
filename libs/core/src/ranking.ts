/**
 * The order of an answer (docs/design.md, "Score"). Relevance leads; what was learned moves it by a bounded
 * factor, because cosines of one tenant lie in a band of .2 and a linear mix with utilities would sort by utility.
 */
import { clamp, clamp01 } from './clamp.js';
import type { Verification } from './memory.js';

/**
 * What a memory of someone else counts until another person finds it helpful, by what vouches for it: tests were passed
 * once, a merge had a second reader, what is stable has lasted, and use in several projects is no accident of one.
 */
const TRUST_BY_VERIFICATION: Readonly<Record<Verification, number>> = {
  untested: 0.9,
  tests_pass: 0.95,
  merged: 0.97,
  stable: 0.99,
  across_projects: 1,
};

/** Half-life decay of newness, 1 now, 0.5 after one half-life; a negative age counts as 0. */
export const recency = (ageDays: number, halfLifeDays: number): number => 2 ** (-Math.max(0, ageDays) / halfLifeDays);

/** Weights of the three parts, each 0 or more. Only their proportions count. */
export interface RankingWeights {
  readonly similarityWeight: number;
  readonly utilityWeight: number;
  readonly recencyWeight: number;
}

/** Similarity, utility and recency, each 0..1. */
export interface LinearParts {
  readonly similarity: number;
  readonly utility: number;
  readonly recency: number;
}

/** The seed's weighted mean, 0..1, for those who ask for `ranking: linear`. Without any weight, similarity decides. */
export const linearScore = (parts: LinearParts, weights: RankingWeights): number => {
  const { similarityWeight: ws, utilityWeight: wu, recencyWeight: wr } = weights;
  const total = ws + wu + wr;
  if (total === 0) return clamp01(parts.similarity);
  return (ws * clamp01(parts.similarity) + wu * clamp01(parts.utility) + wr * clamp01(parts.recency)) / total;
};

export interface BoundedWeights extends RankingWeights {
  /** The most that utility and recency together may move a score, as a share of it, 0..1. */
  readonly maxBoost: number;
}

/** What moves a relevance up or down. */
export interface Boost {
  /** 0..1, 0.5 neutral. */
  readonly utility: number;
  /** How far the utility may be believed, 0..1. */
  readonly confidence: number;
  /** 0..1, 0.5 neutral. */
  readonly recency: number;
}

/**
 * The factor that utility and recency put on a relevance, within `1 ± maxBoost`. The weight of similarity narrows it:
 * `B = max_boost·(wu + wr)/(ws + wu + wr)`. With neither utility nor recency weighed it is 1.
 */
export const boundedFactor = (boost: Boost, weights: BoundedWeights): number => {
  const { similarityWeight: ws, utilityWeight: wu, recencyWeight: wr, maxBoost } = weights;
  if (wu + wr === 0) return 1;
  const bound = (maxBoost * (wu + wr)) / (ws + wu + wr);
  const byUtility = wu * (2 * clamp01(boost.utility) - 1) * clamp01(boost.confidence);
  const byRecency = wr * (2 * clamp01(boost.recency) - 1);
  return 1 + (bound * (byUtility + byRecency)) / (wu + wr);
};

/**
 * A relevance moved by utility and recency.
 * @param relevance 0 or more; may be above 1 where votes for like questions raised it
 */
export const boundedScore = (relevance: number, boost: Boost, weights: BoundedWeights): number =>
  Math.max(0, relevance) * boundedFactor(boost, weights);

/** What is known of a memory that the asker would take on trust. */
export interface Standing {
  readonly verification: Verification;
  /** Someone other than its author found it helpful. */
  readonly helpedOthers: boolean;
  readonly isOwn: boolean;
}

/**
 * From 0.9 for a memory that nobody but its author vouches for, by what verifies it, to 1. Who found it helpful is a better
 * witness than any verification, and everyone trusts their own.
 */
export const trust = ({ verification, helpedOthers, isOwn }: Standing): number =>
  helpedOthers || isOwn ? 1 : TRUST_BY_VERIFICATION[verification];

/** Everything the score of one memory for one question depends on. */
export interface ScoreInput {
  /** Calibrated relevance, 0..1. */
  readonly relevance: number;
  readonly standing: Standing;
  /** Net contextual evidence, -1..1; 0 without votes for like questions. */
  readonly net: number;
  /** g, -1..1, of the memory's assessment. */
  readonly rankingInput: number;
  /** u, 0..1; read by the linear ranking only. */
  readonly utility: number;
  /** Since the memory's last revision. */
  readonly ageDays: number;
}

export interface ScoreSettings extends BoundedWeights {
  readonly ranking: 'bounded' | 'linear';
  /** How much a like question's votes may move a score; 1 doubles it at most. */
  readonly contextBoost: number;
  readonly recencyHalflifeDays: number;
}

/** A score with every part that made it, for an explanation. */
export interface Score {
  readonly score: number;
  readonly relevance: number;
  readonly trust: number;
  readonly net: number;
  /** `1 + context_boost·net`, 0 or more. */
  readonly contextFactor: number;
  readonly rankingInput: number;
  readonly recency: number;
  /** What utility and recency did, `1 ± max_boost`. */
  readonly boundedFactor: number;
  /** The score had nobody ever voted: the same memory with no votes, credit or loans. */
  readonly scoreWithoutLearning: number;
}

/** Puts a memory's score together; the parts multiply to it, except with `ranking: linear`. */
export const scoreMemory = (input: ScoreInput, settings: ScoreSettings): Score => {
  const newness = recency(input.ageDays, settings.recencyHalflifeDays);
  const unlearned = { ...input.standing, helpedOthers: false };
  const trusted = trust(input.standing);
  const contextFactor = Math.max(0, 1 + settings.contextBoost * clamp(input.net, -1, 1));
  const factor = boundedFactor(asBoost(input.rankingInput, newness), settings);
  const linear = (utility: number): number =>
    linearScore({ similarity: input.relevance, utility, recency: newness }, settings);
  const bounded = settings.ranking === 'bounded';
  return {
    score: bounded ? input.relevance * trusted * contextFactor * factor : linear(input.utility),
    relevance: input.relevance,
    trust: trusted,
    net: input.net,
    contextFactor,
    rankingInput: input.rankingInput,
    recency: newness,
    boundedFactor: factor,
    scoreWithoutLearning: bounded
      ? input.relevance * trust(unlearned) * boundedFactor(asBoost(0, newness), settings)
      : linear(0.5),
  };
};

/** g is already weighed by confidence, so it goes in with full confidence. */
const asBoost = (g: number, newness: number): Boost => ({ utility: (1 + g) / 2, confidence: 1, recency: newness });
