/** What people said about a memory, as one number (docs/design.md, "Evidence"). */

import { type DatedVote, isLater, voicesOf } from './voices.js';

/** The most that one person can weigh: 7 votes of one sign reach it, so nobody decides alone. */
const MAX_WEIGHT_PER_USER = 3;

/** One standing vote as it was given. */
export interface CastVote extends DatedVote {
  readonly helpful: boolean;
  /** Given for a revision that said something else than the present one. */
  readonly isOlder: boolean;
}

/** The standing votes of one user on one memory. Votes of an older, materially different revision are counted apart. */
export interface UserVotes {
  readonly helpful: number;
  readonly unhelpful: number;
  /** The voter wrote the memory and others see it too: the vote counts half. False for private memories. */
  readonly authorOfShared: boolean;
  readonly olderHelpful?: number;
  readonly olderUnhelpful?: number;
  /** The user's last word: it keeps its weight where both sides together would pass the cap. Left out: each side has its own. */
  readonly latest?: 'helpful' | 'unhelpful';
}

/** Weighed votes of all users: H and U of the design. */
export interface VoteWeights {
  readonly helpful: number;
  readonly unhelpful: number;
}

/**
 * The weight of one user's votes of one sign, 0..3. The logarithm lets the first vote count most; votes for a text
 * that has since been changed in substance count half.
 * @param count votes on the present revision
 * @param olderCount votes on revisions that the conflict guard would not merge with it
 */
export const voteWeight = (count: number, olderCount = 0): number =>
  Math.min(MAX_WEIGHT_PER_USER, logWeight(count) + logWeight(olderCount) / 2);

const logWeight = (count: number): number => Math.log2(1 + Math.max(0, count));

/**
 * A user's votes on a memory, counted by days: of each UTC day the last vote speaks.
 * @param votes of one user on one memory
 */
export const countVotes = (votes: readonly CastVote[], authorOfShared: boolean): UserVotes => {
  const voices = voicesOf(votes, isLater);
  const count = (helpful: boolean, isOlder: boolean): number =>
    voices.filter((voice) => voice.helpful === helpful && voice.isOlder === isOlder).length;
  const counts = {
    helpful: count(true, false),
    unhelpful: count(false, false),
    olderHelpful: count(true, true),
    olderUnhelpful: count(false, true),
    authorOfShared,
  };
  const last = voices.reduce<CastVote | null>((one, other) => (one && isLater(one, other) ? one : other), null);
  return last === null ? counts : { ...counts, latest: last.helpful ? 'helpful' : 'unhelpful' };
};

/** Sums the weights over users. Give one row per user; votes of the erased are not among them, votes of leavers are. */
export const weighVotes = (votes: readonly UserVotes[]): VoteWeights => {
  let helpful = 0;
  let unhelpful = 0;
  for (const vote of votes) {
    const share = vote.authorOfShared ? 0.5 : 1;
    const weights = weighUser(vote);
    helpful += share * weights.helpful;
    unhelpful += share * weights.unhelpful;
  }
  return { helpful, unhelpful };
};

/** Who has said both has one cap for the two, and the last word first: else one person could dilute everyone else's votes. */
const weighUser = (vote: UserVotes): VoteWeights => {
  const helpful = voteWeight(vote.helpful, vote.olderHelpful);
  const unhelpful = voteWeight(vote.unhelpful, vote.olderUnhelpful);
  if (vote.latest === 'helpful') return { helpful, unhelpful: Math.min(unhelpful, MAX_WEIGHT_PER_USER - helpful) };
  if (vote.latest === 'unhelpful') return { helpful: Math.min(helpful, MAX_WEIGHT_PER_USER - unhelpful), unhelpful };
  return { helpful, unhelpful };
};

/**
 * Evidence e, strictly between 0 and 1; 0.5 without votes. A Laplace mean rather than Wilson's lower bound, which
 * would sink a memory below an unseen one after its first helpful vote.
 */
export const evidence = ({ helpful, unhelpful }: VoteWeights): number => (helpful + 1) / (helpful + unhelpful + 2);

/** Evidence straight from per-user counts, 0..1. */
export const evidenceFromVotes = (votes: readonly UserVotes[]): number => evidence(weighVotes(votes));
