/** How the memories of a place are doing, in numbers (docs/design.md, "Trends"). */
import { isStale, type StaleLimits } from './staleness.js';
import type { Assessment } from './value.js';

/** Above it a memory has earned more than chance would have it: one full vote gives .67. */
export const HIGH_VALUE = 0.6;

/** Memories of one standing. */
export interface StandingCount {
  readonly count: number;
  /** How many of them no question ever found. */
  readonly neverRetrieved: number;
  readonly pinned: boolean;
  readonly assessed: Pick<Assessment, 'utility' | 'base' | 'fade'>;
  /** Since they were last useful, or came into use here where that was later. */
  readonly daysUnused: number;
  /** u as faded since then: what was imported tells of years ago, and has had no time here. */
  readonly utilityHere: number;
}

export interface Health {
  readonly memories: number;
  readonly neverRetrieved: number;
  /** What they earned themselves, by now, is above {@link HIGH_VALUE}; what others lend does not count. */
  readonly highValue: number;
  readonly stale: number;
  /** The sum of all. */
  readonly utility: number;
}

/** Adds up what stands alike. */
export const sumHealth = (groups: readonly StandingCount[], limits: StaleLimits): Health => {
  const sum = (of: (group: StandingCount) => number): number => groups.reduce((total, group) => total + of(group), 0);
  return {
    memories: sum(({ count }) => count),
    neverRetrieved: sum(({ neverRetrieved }) => neverRetrieved),
    highValue: sum(({ count, assessed }) => (assessed.base * assessed.fade > HIGH_VALUE ? count : 0)),
    stale: sum(({ count, pinned, daysUnused, utilityHere }) =>
      isStale({ pinned, utility: utilityHere, daysSinceUseful: daysUnused }, limits) ? count : 0,
    ),
    utility: sum(({ count, assessed }) => count * assessed.utility),
  };
};
