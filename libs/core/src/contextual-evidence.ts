/**
 * What people said about a memory when they asked something like the present question (docs/design.md,
 * "Contextual evidence"). It lets a memory rise where it helped without being punished everywhere for being wrong once.
 */
import { clamp01 } from './clamp.js';
import { type DatedVote, isLater, voicesOf } from './voices.js';

/** Questions kept for each memory; the oldest goes first. */
export const MAX_VOTED_QUESTIONS = 200;

/** One vote and how near its question lies to the one now asked. Only votes of the same encoder may be given. */
export interface ContextualVote {
  readonly user: string;
  readonly helpful: boolean;
  /** Cosine between the question now asked and the one the vote was given for, -1..1. */
  readonly cosine: number;
}

export interface ContextSettings {
  /** Cosine at which two questions begin to be alike; belongs to the encoder, so it lies on its card. */
  readonly tau: number;
  /** The most one user weighs on one side. */
  readonly cap: number;
  /** How much an unhelpful vote counts against a helpful one, 0..1. */
  readonly nu: number;
  /** Doubt: how many full votes it takes to be half believed. */
  readonly lambda: number;
}

export interface ContextualEvidence {
  /** What is left of praise after blame, in (-nu, 1); 0 without votes for like questions. */
  readonly net: number;
  readonly helpful: number;
  readonly unhelpful: number;
  /** How many people voted on like questions; an explanation names a number from three on. */
  readonly people: number;
}

/** How much a vote for another question counts for this one, 0..1: 0 up to tau, 1 for the same question. */
export const questionKinship = (cosine: number, tau: number): number =>
  tau >= 1 ? 0 : clamp01((cosine - tau) / (1 - tau));

/** A vote for a like question, before it is known which votes speak. */
export interface KindredVote extends DatedVote {
  readonly helpful: boolean;
  /** {@link questionKinship} of its question with the present one, above 0. */
  readonly kinship: number;
}

/**
 * Of a person's votes of one day the one whose question is nearest to the present speaks: a memory may have helped with
 * one question and not with another, but asking one in many wordings adds nothing.
 */
export const nearestVoices = <Vote extends KindredVote>(votes: readonly Vote[]): Vote[] =>
  voicesOf(votes, (one, other) => (one.kinship === other.kinship ? isLater(one, other) : one.kinship > other.kinship));

/** Weighs the votes given for questions like the present one. */
export const contextualEvidence = (
  votes: readonly ContextualVote[],
  { tau, cap, nu, lambda }: ContextSettings,
): ContextualEvidence => {
  const praise = new Map<string, number>();
  const blame = new Map<string, number>();
  for (const vote of votes) {
    const kinship = questionKinship(vote.cosine, tau);
    if (kinship === 0) continue;
    const side = vote.helpful ? praise : blame;
    side.set(vote.user, Math.min(cap, (side.get(vote.user) ?? 0) + kinship));
  }
  const helpful = sum(praise);
  const unhelpful = sum(blame);
  const weight = helpful + unhelpful;
  const net = weight === 0 ? 0 : (helpful - nu * unhelpful) / (weight + lambda);
  return { net, helpful, unhelpful, people: new Set([...praise.keys(), ...blame.keys()]).size };
};

const sum = (weights: ReadonlyMap<string, number>): number => [...weights.values()].reduce((a, b) => a + b, 0);

/** Who voted on whose memory, and who asks now. */
export interface VoteInContext {
  readonly voterId: string;
  readonly authorId: string;
  readonly askerId: string;
  /** Others see the memory too; false for private ones and in a project with a single member. */
  readonly shared: boolean;
}

/** Whether a vote may count here at all: an author's praise of a shared memory moves nobody's answers but the author's. */
export const countsInContext = ({ voterId, authorId, askerId, shared }: VoteInContext): boolean =>
  !shared || voterId !== authorId || askerId === authorId;
