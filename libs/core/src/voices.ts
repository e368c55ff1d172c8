/**
 * One voice a day (docs/decisions/0011-one-voice-a-day.md): asking the same in thirty ways and voting on each answer says
 * one thing, so of the votes that a person gives a memory on one UTC day a single one speaks. Days do not depend on which
 * votes there are, hence another vote may take a voice over but never silence two.
 */
import { utcDay } from './days.js';

/** Who voted when; the vote's own id settles which of two votes of one instant is the later. */
export interface DatedVote {
  readonly user: string;
  readonly at: Date;
  readonly id: string;
}

/**
 * The votes that speak, one for each person and UTC day.
 * @param votes on one memory, in any order
 * @param takesOver whether the first of two votes of a person and day speaks instead of the second
 */
export const voicesOf = <Vote extends DatedVote>(
  votes: readonly Vote[],
  takesOver: (one: Vote, other: Vote) => boolean,
): Vote[] => {
  const voices = new Map<string, Vote>();
  for (const vote of votes) {
    const key = `${utcDay(vote.at)} ${vote.user}`;
    const speaking = voices.get(key);
    if (speaking === undefined || takesOver(vote, speaking)) voices.set(key, vote);
  }
  return [...voices.values()];
};

/** Whether a vote was given after another. */
export const isLater = (one: DatedVote, other: DatedVote): boolean => {
  const apart = one.at.getTime() - other.at.getTime();
  return apart === 0 ? one.id > other.id : apart > 0;
};
