/** From votes, credit and loans to one utility to show and one number to rank by (docs/design.md, "Value and decay"). */
import { clamp, clamp01 } from './clamp.js';
import { fadeFactor, type Fading } from './decay.js';
import { evidence, type VoteWeights } from './evidence.js';
import { lent } from './propagation.js';

/** Where praise and blame are in balance; what nobody voted on stands here. */
const NEUTRAL = 0.5;
/** Vote weight at which a memory's evidence is half believed. */
const HALF_BELIEVED = 2;
/** What is lent or credited is believed as much as a single vote: 1/(1 + 2). */
const CONFIDENCE_OF_HEARSAY = 1 / 3;

/** The part of a value above neutral, stretched to 0..1; what is below neutral has none. */
export const excess = (value: number): number => Math.max(0, 2 * value - 1);

/** What a memory earned itself, 0..1: evidence and credit together. */
export const baseValue = (evidenceValue: number, creditValue: number): number => clamp01(evidenceValue + creditValue);

/**
 * How far the evidence may be believed, 0..1.
 * @param voteWeight n = H + U, 0 or more
 * @param borrowed what was lent, as one more vote where there is any; the ranking passes none
 */
export const confidence = (voteWeight: number, borrowed = 0): number => {
  const believed = Math.max(0, voteWeight) + (borrowed > 0 ? 1 : 0);
  return believed / (believed + HALF_BELIEVED);
};

/** What the votes, credits and neighbours of a memory amount to before fading. */
export interface Worth {
  /** Evidence e, 0..1. */
  readonly evidence: number;
  /** Credit, 0..0.3. */
  readonly credit: number;
  /** What neighbours lend, 0..1. */
  readonly lent: number;
}

/** Value before fading, 0..1. What people found unhelpful borrows nothing. */
export const memoryValue = ({ evidence: e, credit, lent: borrowed }: Worth): number => {
  const base = baseValue(e, credit);
  return e >= NEUTRAL ? Math.max(base, NEUTRAL + borrowed / 2) : base;
};

/**
 * The ranking input g, -1..1. Praise fades to neutral and never below; blame stays until votes outweigh it; a loan
 * fades with its source, not here. A vote always moves g its own way, or not at all where the voter's weight is full.
 */
export const rankingInput = (worth: Worth, confidenceValue: number, fade: number): number => {
  const leaning = (2 * worth.evidence - 1) * confidenceValue;
  if (worth.evidence < NEUTRAL) return clamp(leaning, -1, 0);
  const own = fade * (leaning + 2 * worth.credit * CONFIDENCE_OF_HEARSAY);
  return clamp(Math.max(own, worth.lent * CONFIDENCE_OF_HEARSAY), 0, 1);
};

/** Everything a memory's row says about its worth. */
export interface MemoryState extends Fading {
  readonly votes: VoteWeights;
  readonly credit: number;
  /** p: what has flowed in so far, night by night. */
  readonly propagated: number;
  /** q: what reached it in the last propagation. */
  readonly reached: number;
}

/** The worth of a memory with all its parts, so that an explanation can show each. */
export interface Assessment extends Worth {
  readonly confidence: number;
  /** e plus credit, 0..1. */
  readonly base: number;
  /** f, 0..1. */
  readonly fade: number;
  /** Before fading, 0..1. */
  readonly value: number;
  /** u, 0..1: shown in lists, statistics and review, and read by pruning. */
  readonly utility: number;
  /** g, -1..1: read by the ranking. */
  readonly rankingInput: number;
  /** What it can lend if it is a source, 0..1: x(e + credit)·f, never what it borrowed. */
  readonly earned: number;
}

/** Works out every part of a memory's worth from its row. */
export const assess = (state: MemoryState): Assessment => {
  const e = evidence(state.votes);
  const worth: Worth = { evidence: e, credit: state.credit, lent: lent(state.propagated, state.reached) };
  const belief = confidence(state.votes.helpful + state.votes.unhelpful);
  const fade = fadeFactor(state);
  const base = baseValue(e, state.credit);
  const value = memoryValue(worth);
  return {
    ...worth,
    confidence: belief,
    base,
    fade,
    value,
    utility: clamp01(value) * fade,
    rankingInput: rankingInput(worth, belief, fade),
    earned: excess(base) * fade,
  };
};
