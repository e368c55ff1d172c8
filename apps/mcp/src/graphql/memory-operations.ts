/*
 * What a person changes of memories that are there, from the command line.
 */

const MEMORY = 'id title revision state stateReason pinned tags';

/** What an edit is made on: the revision that is there. */
export const READ_REVISION = `query ReadRevision($id: ID!) { memory(id: $id) { id title revision } }`;

/** Changes what a memory says. */
export const EDIT_MEMORY = `
  mutation EditMemory($id: ID!, $expectedRevision: Int!, $input: EditMemoryInput!) {
    editMemory(id: $id, expectedRevision: $expectedRevision, input: $input) {
      memory { ${MEMORY} }
      changed
      conflicts { memory { id title } differences }
      redacted { type count }
    }
  }`;

/** Pins or unpins. */
export const SET_PINNED = `
  mutation SetPinned($id: ID!, $pinned: Boolean!) { setPinned(id: $id, pinned: $pinned) { ${MEMORY} } }`;

/** Takes a memory out of searches and lists. */
export const ARCHIVE_MEMORY = `
  mutation ArchiveMemory($id: ID!, $reason: String) { archiveMemory(id: $id, reason: $reason) { ${MEMORY} } }`;

/** Says that a memory is false, and what shows it. */
export const REFUTE_MEMORY = `
  mutation RefuteMemory($id: ID!, $by: ID, $reason: String) {
    refuteMemory(id: $id, by: $by, reason: $reason) { ${MEMORY} refutedBy }
  }`;

/** Brings back what was archived, refuted or forgotten. */
export const RESTORE_MEMORY = `mutation RestoreMemory($id: ID!) { restoreMemory(id: $id) { ${MEMORY} } }`;

/** Hides a memory until it is erased. */
export const FORGET_MEMORY = `mutation ForgetMemory($id: ID!) { forgetMemory(id: $id) { ${MEMORY} } }`;

const CONFLICT_FIELDS = `
  fragment ConflictSide on Memory { id title text createdAt author { displayName } }
  fragment ConflictFields on Conflict {
    first { ...ConflictSide } second { ...ConflictSide } similarity differences foundAt resolution reason runId
  }`;

/** Open conflicts of which the caller sees both sides. */
export const CONFLICTS = `
  query Conflicts($first: Int!, $after: String, $project: String) {
    conflicts(first: $first, after: $after, project: $project) {
      nodes { ...ConflictFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${CONFLICT_FIELDS}`;

/** Decides a conflict, or takes the decision back. */
export const RESOLVE_CONFLICT = `
  mutation ResolveConflict($input: ResolveConflictInput!) { resolveConflict(input: $input) { ...ConflictFields } }
  ${CONFLICT_FIELDS}`;

const PROFILE_FIELDS = `
  fragment ProfileFields on Profile { project refreshedAt lines { part text ageDays memory { id kind } } }`;

/** What is worth knowing about the caller, or about a project. */
export const PROFILE = `
  query Profile($project: String) { profile(project: $project) { ...ProfileFields } }
  ${PROFILE_FIELDS}`;

/** The same, chosen anew. */
export const REFRESH_PROFILE = `
  mutation RefreshProfile($project: String) { refreshProfile(project: $project) { ...ProfileFields } }
  ${PROFILE_FIELDS}`;
