interface UpkeepTarget {
  readonly memoryIds: readonly string[];
  readonly projectSlug: string;
  readonly upkeepRunId: string;
}

interface NamedOperation {
  readonly document: string;
  readonly variables: (target: UpkeepTarget) => Record<string, unknown>[];
}

const ofProject = (document: string): NamedOperation => ({
  document,
  variables: (t) => [{ project: t.projectSlug }],
});

/** Review, merging, pruning and undoing, with every form of naming a target's things. */
export const UPKEEP_OPERATIONS: Readonly<Record<string, NamedOperation>> = {
  review: ofProject('query ($project: String) { review(project: $project) { total stale { memory { text } } } }'),
  profile: ofProject(
    'query ($project: String) { profile(project: $project) { refreshedAt lines { text memory { text } } } }',
  ),
  refreshProfile: ofProject(
    'mutation ($project: String) { refreshProfile(project: $project) { refreshedAt lines { text memory { text } } } }',
  ),
  consolidate: ofProject(
    'mutation ($project: String) { consolidate(input: { project: $project, execute: true }) { total runId } }',
  ),
  cleanup: ofProject(
    'mutation ($project: String) { cleanup(input: { project: $project, execute: true }) { total runId } }',
  ),
  merge: {
    document: 'mutation ($ids: [ID!]!) { merge(ids: $ids) { runId survivor { text } } }',
    variables: (t) => [{ ids: t.memoryIds }, { ids: t.memoryIds.map((id) => id.slice(0, 8)) }],
  },
  undo: {
    document: 'mutation ($id: ID!) { undo(id: $id) { runId restoredIds skippedIds } }',
    variables: (t) => [{ id: t.upkeepRunId }, { id: t.upkeepRunId.slice(0, 8) }],
  },
};
