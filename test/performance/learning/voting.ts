import { chance } from './chance.js';

/** How the people of a mode vote. */
export type Electorate =
  | { readonly kind: 'none' }
  /** By relevance, one vote in ten wrong. */
  | { readonly kind: 'honest' }
  /** So many of the ten always say the opposite of what is true, the others vote honestly. */
  | { readonly kind: 'hostile'; readonly people: number }
  /** By the toss of a coin. */
  | { readonly kind: 'random' };

const WRONG_VOTES = 0.1;

/** One memory that was shown to a voter. */
export interface ShownTo {
  readonly voter: number;
  readonly round: number;
  readonly query: string;
  readonly memory: string;
  readonly isRelevant: boolean;
}

/** Whether the voter says that a memory helped. */
export const verdictOn = (electorate: Electorate, shown: ShownTo, seed: number): boolean => {
  const { voter, round, query, memory, isRelevant } = shown;
  const draw = chance(seed, 'vote', round, query, memory);
  if (electorate.kind === 'random') return draw < 0.5;
  if (electorate.kind === 'hostile' && voter < electorate.people) return !isRelevant;
  return draw < WRONG_VOTES ? !isRelevant : isRelevant;
};
