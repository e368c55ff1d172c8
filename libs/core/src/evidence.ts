/** What people said about a memory, as one number (docs/design.md, "Evidence"). */

/** The most that one person can weigh on one side: 7 votes of one sign reach it, so nobody decides alone. */
const MAX_WEIGHT_PER_USER = 3;

/** The standing votes of one user on one memory. Votes of an older, materially different revision are counted apart. */
export interface UserVotes {
  readonly helpful: number;
  readonly unhelpful: number;
  /** The voter wrote the memory and others see it too: the vote counts half. False for private memories. */
  readonly authorOfShared: boolean;
  readonly olderHelpful?: number;
  readonly olderUnhelpful?: number;
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

/** Sums the weights over users. Give one row per user; votes of the erased are not among them, votes of leavers are. */
export const weighVotes = (votes: readonly UserVotes[]): VoteWeights => {
  let helpful = 0;
  let unhelpful = 0;
  for (const vote of votes) {
    const share = vote.authorOfShared ? 0.5 : 1;
    helpful += share * voteWeight(vote.helpful, vote.olderHelpful);
    unhelpful += share * voteWeight(vote.unhelpful, vote.olderUnhelpful);
  }
  return { helpful, unhelpful };
};

/**
 * Evidence e, strictly between 0 and 1; 0.5 without votes. A Laplace mean rather than Wilson's lower bound, which
 * would sink a memory below an unseen one after its first helpful vote.
 */
export const evidence = ({ helpful, unhelpful }: VoteWeights): number => (helpful + 1) / (helpful + unhelpful + 2);

/** Evidence straight from per-user counts, 0..1. */
export const evidenceFromVotes = (votes: readonly UserVotes[]): number => evidence(weighVotes(votes));
