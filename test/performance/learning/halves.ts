import type { NeutralSet } from '../neutral-sets.js';
import { chance, shuffled } from './chance.js';

export type Query = NeutralSet['queries'][number];

/** Those that vote, and their neighbours, which only measure. */
export interface Halves {
  readonly voted: readonly Query[];
  readonly unseen: readonly Query[];
}

/** People who ask and vote; whoever captured the memories is none of them. */
export const VOTERS = 10;
export const ROUNDS = 5;

/** Coprime to the number of voters: in each round of a question another of them asks. */
const STEP = 3;

/**
 * Queries with an even place vote, those with an odd one never do.
 * @param sample so many pairs of neighbours, drawn by the seed; null for all
 */
export const halve = (queries: readonly Query[], sample: number | null, seed: number): Halves => {
  const pairs = Array.from({ length: Math.ceil(queries.length / 2) }, (_, at) => queries.slice(2 * at, 2 * at + 2));
  const chosen = sample === null ? pairs : shuffled(pairs, seed, 'sample').slice(0, sample);
  return { voted: chosen.flatMap(([one]) => one ?? []), unseen: chosen.flatMap(([, other]) => other ?? []) };
};

/** Which of the voters asks a question in a round (1..5): five different people. */
export const askerOf = (query: Query, round: number, seed: number): number =>
  (Math.floor(chance(seed, 'asker', query.id) * VOTERS) + round * STEP) % VOTERS;
