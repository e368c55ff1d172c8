/**
 * Whom the others bear out (docs/decisions/0026-who-is-borne-out.md). Votes by the toss of a coin, or out of spite, cannot be told
 * from honest ones one by one, but they contradict what others say of the same memories. So among the votes for questions like
 * the present one, a person counts for as much as the others agree.
 */
import { clamp, clamp01 } from './clamp.js';
import type { KindredVote } from './contextual-evidence.js';

/** What is presumed of somebody before any comparison: an eighth of a full voice, and eight comparisons' worth of doubt. */
const PRESUMED = { agreed: 4.6, contradicted: 3.4 } as const;
/** Whoever agrees hardly more often than a coin would counts for nothing. */
const LIKE_A_COIN = 0.55;
/** Whoever agrees three times in four counts fully: honest people err too. */
const BORNE_OUT = 0.75;

/** How often others said the same as a person, and how often the opposite; fractions where questions are less alike. */
export interface Comparison {
  readonly agreed: number;
  readonly contradicted: number;
}

/** The share of a full voice that a person has, 0..1. */
export const standingOf = ({ agreed, contradicted }: Comparison): number => {
  const same = agreed + PRESUMED.agreed;
  const share = same / (same + contradicted + PRESUMED.contradicted);
  return clamp01((share - LIKE_A_COIN) / (BORNE_OUT - LIKE_A_COIN));
};

/**
 * The votes with their kinship less by what their people lack in standing. A person's standing for one memory rests on the
 * other memories alone: so a vote still moves the memory it is given for its own way, whatever it does to the voter's standing.
 * @param votes those that speak, by memory
 */
export const borneOut = <Id, Vote extends KindredVote>(
  votes: ReadonlyMap<Id, readonly Vote[]>,
): ReadonlyMap<Id, readonly Vote[]> => {
  const compared = new Map([...votes].map(([id, own]) => [id, compare(own)]));
  const all = new Map<string, Comparison>();
  for (const own of compared.values()) for (const [user, one] of own) all.set(user, added(all.get(user), one, 1));
  return new Map(
    [...votes].map(([id, own]) => {
      const here = compared.get(id);
      const weight = (user: string): number => standingOf(added(all.get(user), here?.get(user), -1));
      return [id, own.map((vote) => ({ ...vote, kinship: vote.kinship * weight(vote.user) }))];
    }),
  );
};

const NONE: Comparison = { agreed: 0, contradicted: 0 };

/** One comparison more, or less; never below nothing, which rounding could make it. */
const added = (sum: Comparison = NONE, one: Comparison = NONE, sign: 1 | -1): Comparison => ({
  agreed: Math.max(0, sum.agreed + sign * one.agreed),
  contradicted: Math.max(0, sum.contradicted + sign * one.contradicted),
});

/** Each person on one memory against each other who spoke on it. */
const compare = (votes: readonly KindredVote[]): ReadonlyMap<string, Comparison> => {
  const stances = new Map<string, number>();
  for (const { user, helpful, kinship } of votes) {
    stances.set(user, (stances.get(user) ?? 0) + (helpful ? kinship : -kinship));
  }
  const sides = { praise: 0, blame: 0 };
  for (const [user, stance] of stances) {
    const bounded = clamp(stance, -1, 1);
    stances.set(user, bounded);
    if (bounded > 0) sides.praise += bounded;
    else sides.blame -= bounded;
  }
  return new Map(
    [...stances].map(([user, stance]) => {
      const force = Math.abs(stance);
      const [own, other] = stance > 0 ? [sides.praise, sides.blame] : [sides.blame, sides.praise];
      return [user, { agreed: force * (own - force), contradicted: force * other }];
    }),
  );
};
