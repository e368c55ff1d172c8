/*
 * Review, merging, pruning and taking both back.
 */

const LOOKED = 'analysed total complete nextAfter';
const JUDGED = '{ memory { id title } utility daysUnused reasons }';
const CLUSTER = '{ survivor { id title } merged { id title } similarity acrossAuthors }';

/** What could be merged, pruned or looked at. */
export const REVIEW = `
  query Review($project: String) {
    review(project: $project) {
      ${LOOKED} mayExecute staleCount prunableCount clusterCount proposalCount guarded conflicts
      stale ${JUDGED} prunable ${JUDGED} clusters ${CLUSTER} proposals ${CLUSTER}
    }
  }`;

/** Merges what says the same, or says what would be merged. */
export const CONSOLIDATE = `
  mutation Consolidate($input: ConsolidateInput!) {
    consolidate(input: $input) { ${LOOKED} runId remaining clusters ${CLUSTER} }
  }`;

/** Archives what nobody needs, or says what that would be. */
export const CLEANUP = `
  mutation Cleanup($input: CleanupInput!) {
    cleanup(input: $input) { ${LOOKED} runId remaining memories ${JUDGED} }
  }`;

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
