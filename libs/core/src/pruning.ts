/** What may be archived because nobody needs it (docs/design.md, "Pruning"). */
import type { MemoryKind, Validity } from './memory.js';

/** Why a memory may go, in the order they are reported. */
export const PRUNE_REASONS = ['age', 'utility'] as const;
export type PruneReason = (typeof PRUNE_REASONS)[number];

export interface PrunableMemory {
  readonly kind: MemoryKind;
  readonly validity: Validity;
  /** A todo that is not done. */
  readonly open: boolean;
  readonly pinned: boolean;
  /** Since it ended, or came into use here (captured, imported, restored) where that was later. */
  readonly ageDays: number;
  /** u, 0..1: value after fading; for a memory of the past, no earlier than it came into use here. */
  readonly utility: number;
  /** Helpful votes that stand, of anyone. */
  readonly helpfulVotes: number;
  /** Retrievals of kind `asked`. */
  readonly askedRetrievals: number;
}

export interface PruneLimits {
  readonly maxAgeDays: number;
  readonly minUtility: number;
  readonly minRetrievals: number;
}

/** The reasons to archive a memory; none for one that is kept. Limits themselves are still within bounds. */
export const pruneReasons = (memory: PrunableMemory, limits: PruneLimits): PruneReason[] => {
  if (isExempt(memory) || isWanted(memory, limits)) return [];
  const applies: Record<PruneReason, boolean> = {
    age: memory.ageDays > limits.maxAgeDays,
    utility: memory.utility < limits.minUtility,
  };
  return PRUNE_REASONS.filter((reason) => applies[reason]);
};

/** What is meant to last, however seldom it is read. */
const isExempt = ({ kind, validity, open }: PrunableMemory): boolean =>
  validity === 'forever' || kind === 'decision' || (kind === 'todo' && open);

const isWanted = ({ pinned, helpfulVotes, askedRetrievals }: PrunableMemory, { minRetrievals }: PruneLimits): boolean =>
  pinned || helpfulVotes > 0 || askedRetrievals >= minRetrievals;
