/*
 * What the tools change of memories that are there.
 */

/** What a change tells of a memory. */
export const CHANGED_FIELDS = 'id title revision state stateReason pinned tags';

/** Both sides of a conflict. */
export const CONFLICT_FIELDS = `
  fragment ConflictSide on Memory { id title text createdAt author { displayName } }
  fragment ConflictFields on Conflict {
    first { ...ConflictSide } second { ...ConflictSide } similarity differences foundAt resolution reason runId
  }`;

/** Where a memory lies. */
export const PLACE_FIELDS = `
  fragment PlaceFields on Memory { id title scope project { slug } group { slug } }`;

/** What an edit is made on: the revision that is there. */
export const READ_REVISION = `query ReadRevision($id: ID!) { memory(id: $id) { id title revision } }`;

/** Changes what a memory says. */
export const EDIT_MEMORY = `
  mutation EditMemory($id: ID!, $expectedRevision: Int!, $input: EditMemoryInput!) {
    editMemory(id: $id, expectedRevision: $expectedRevision, input: $input) {
      memory { ${CHANGED_FIELDS} }
      changed
      conflicts { memory { id title } differences }
      redacted { type count }
    }
  }`;

/** Pins or unpins. */
export const SET_PINNED = `
  mutation SetPinned($id: ID!, $pinned: Boolean!) { setPinned(id: $id, pinned: $pinned) { ${CHANGED_FIELDS} } }`;

/** Says that a memory is false, and what shows it. */
export const REFUTE_MEMORY = `
  mutation RefuteMemory($id: ID!, $by: ID, $reason: String) {
    refuteMemory(id: $id, by: $by, reason: $reason) { ${CHANGED_FIELDS} refutedBy }
  }`;

/** Brings back what was archived, refuted or forgotten. */
export const RESTORE_MEMORY = `mutation RestoreMemory($id: ID!) { restoreMemory(id: $id) { ${CHANGED_FIELDS} } }`;

/** Hides a memory until it is erased. */
export const FORGET_MEMORY = `mutation ForgetMemory($id: ID!) { forgetMemory(id: $id) { ${CHANGED_FIELDS} } }`;

/** Decides a conflict, or takes the decision back. */
export const RESOLVE_CONFLICT = `
  mutation ResolveConflict($input: ResolveConflictInput!) { resolveConflict(input: $input) { ...ConflictFields } }
  ${CONFLICT_FIELDS}`;

/** Shows a memory to more people, or proposes it. */
export const SHARE_MEMORY = `
  mutation ShareMemory($input: AudienceInput!) {
    shareMemory(input: $input) { memory { ...PlaceFields } proposal { id to { scope project { slug } group { slug } } } }
  }
  ${PLACE_FIELDS}`;
