/** What led to a success shares in it: credit along time (docs/design.md, "Credit"). */
import type { SessionId } from './memory.js';

/** The most credit a memory can have from all successes together. */
export const MAX_CREDIT = 0.3;
/** How many earlier episodes share in one success. */
const LAST_RANK = 4;
const MS_PER_HOUR = 3_600_000;

export interface CreditRates {
  readonly alpha: number;
  readonly gamma: number;
}

/**
 * Credit of the k-th most recent earlier episode, 0 or more: 4/5 of alpha·gamma for the nearest, falling by fifths,
 * none from the fifth on.
 * @param rank k, from 1
 */
export const creditOfRank = (rank: number, { alpha, gamma }: CreditRates): number =>
  rank >= 1 && rank <= LAST_RANK ? alpha * gamma * (1 - rank / (LAST_RANK + 1)) : 0;

/** Sum of the credits of one memory, 0..cap. One rank for each (success, episode) pair that stands. */
export const credit = (ranks: readonly number[], rates: CreditRates, cap: number = MAX_CREDIT): number =>
  Math.min(
    cap,
    ranks.reduce((total, rank) => total + creditOfRank(rank, rates), 0),
  );

/** When an episode happened: it ends at capture and starts when the client says so, else at capture. */
export interface EpisodeSpan<Id extends string = string> {
  readonly id: Id;
  readonly sessionId: SessionId | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

export interface CreditReceiver<Id extends string = string> {
  readonly id: Id;
  /** 1..4; what it is worth says {@link creditOfRank}. */
  readonly rank: number;
}

/**
 * The episodes that share in a success: of the same session, or ended within the window before it started. Latest end
 * first, then id, so that a repeated run ranks alike.
 * @param episodes earlier and other episodes of the same user and project; who may not see the success is sorted out
 *   by the caller afterwards, because a hidden episode keeps its place
 */
export const creditReceivers = <Id extends string>(
  success: EpisodeSpan<Id>,
  episodes: readonly EpisodeSpan<Id>[],
  windowHours: number,
): CreditReceiver<Id>[] =>
  episodes
    .filter((episode) => episode.id !== success.id && ledTo(episode, success, windowHours))
    .sort((a, b) => b.endedAt.getTime() - a.endedAt.getTime() || (a.id < b.id ? -1 : 1))
    .slice(0, LAST_RANK)
    .map(({ id }, index) => ({ id, rank: index + 1 }));

const ledTo = (episode: EpisodeSpan, success: EpisodeSpan, windowHours: number): boolean => {
  if (episode.endedAt >= success.endedAt) return false;
  if (episode.sessionId !== null && episode.sessionId === success.sessionId) return true;
  const gapMs = success.startedAt.getTime() - episode.endedAt.getTime();
  return gapMs >= 0 && gapMs <= windowHours * MS_PER_HOUR;
};
