/*
 * Review, merging, pruning and taking both back.
 */
export { CLEANUP, CONSOLIDATE, REVIEW } from '@tempera/client-kit';

/** Merges memories that somebody chose. */
export const MERGE = `
  mutation Merge($ids: [ID!]!) { merge(ids: $ids) { runId survivor { id title } mergedIds } }`;

/** Merges and cleanups that can be taken back, or were. */
export const UPKEEP_RUNS = `
  query UpkeepRuns($first: Int!, $after: String, $undone: Boolean!) {
    upkeepRuns(first: $first, after: $after, undone: $undone) {
      nodes { id kind project groupId madeBy maintenanceRunId merged pruned createdAt undoneAt }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** Takes a merge or a cleanup back. */
export const UNDO = `
  mutation Undo($id: ID!) { undo(id: $id) { runId restoredIds skippedIds } }`;
