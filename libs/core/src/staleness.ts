/** What a review calls stale: for a person to look at, never a reason to archive (docs/design.md, "Pruning"). */
import type { PrunableMemory } from './pruning.js';

export interface StaleLimits {
  readonly ageDays: number;
  readonly utility: number;
}

/** Long of no use, and worth little by now. What is pinned is wanted. */
export const isStale = (
  {
    pinned,
    utility,
    daysSinceUseful,
  }: Pick<PrunableMemory, 'pinned' | 'utility'> & {
    /** Since it was last useful, or came into use here where that was later. */
    readonly daysSinceUseful: number;
  },
  limits: StaleLimits,
): boolean => !pinned && daysSinceUseful > limits.ageDays && utility < limits.utility;
