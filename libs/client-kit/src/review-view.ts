import { z } from 'zod';
import { memoryName } from './memory-view.js';

/*
 * What clients read of reviews, consolidations and cleanups.
 */

const judged = z.object({
  memory: memoryName,
  utility: z.number(),
  daysUnused: z.number(),
  reasons: z.array(z.string()),
});
const cluster = z.object({
  survivor: memoryName,
  merged: z.array(memoryName),
  similarity: z.number(),
  acrossAuthors: z.boolean(),
});
const lookedAt = {
  analysed: z.number(),
  total: z.number(),
  complete: z.boolean(),
  nextAfter: z.string().nullable(),
};
const acted = { ...lookedAt, runId: z.string().nullable(), remaining: z.number() };

export const reviewAnswer = z.object({
  ...lookedAt,
  mayExecute: z.boolean(),
  stale: z.array(judged),
  staleCount: z.number(),
  prunable: z.array(judged),
  prunableCount: z.number(),
  clusters: z.array(cluster),
  clusterCount: z.number(),
  proposals: z.array(cluster),
  proposalCount: z.number(),
  guarded: z.number(),
  conflicts: z.number(),
});
export const consolidateAnswer = z.object({ ...acted, clusters: z.array(cluster) });
export const cleanupAnswer = z.object({ ...acted, memories: z.array(judged) });

/** What could be merged, pruned or looked at. */
export type ReviewAnswer = z.output<typeof reviewAnswer>;
/** What was merged, or would be. */
export type ConsolidateAnswer = z.output<typeof consolidateAnswer>;
/** What was archived, or would be. */
export type CleanupAnswer = z.output<typeof cleanupAnswer>;
/** A memory that review or pruning points at. */
export type JudgedView = z.output<typeof judged>;
/** Memories that say the same. */
export type ClusterView = z.output<typeof cluster>;

/** Where to look after memories, and whether to do it. Without a project: the caller's private ones. */
export interface UpkeepRequest {
  readonly project: string | null;
  readonly execute: boolean;
  readonly after?: string;
}
