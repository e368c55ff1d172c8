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
    }
  }`;

/** Pins or unpins. */
export const SET_PINNED = `
  mutation SetPinned($id: ID!, $pinned: Boolean!) { setPinned(id: $id, pinned: $pinned) { ${MEMORY} } }`;

/** Takes a memory out of searches and lists. */
export const ARCHIVE_MEMORY = `
  mutation ArchiveMemory($id: ID!, $reason: String) { archiveMemory(id: $id, reason: $reason) { ${MEMORY} } }`;

/** Brings back what was archived or forgotten. */
export const RESTORE_MEMORY = `mutation RestoreMemory($id: ID!) { restoreMemory(id: $id) { ${MEMORY} } }`;

/** Hides a memory until it is erased. */
export const FORGET_MEMORY = `mutation ForgetMemory($id: ID!) { forgetMemory(id: $id) { ${MEMORY} } }`;
