/*
 * What a person changes of memories that are there, from the command line.
 */
import { CHANGED_FIELDS, CONFLICT_FIELDS } from '@tempera/client-kit';

export {
  EDIT_MEMORY,
  FORGET_MEMORY,
  READ_REVISION,
  REFUTE_MEMORY,
  RESOLVE_CONFLICT,
  RESTORE_MEMORY,
  SET_PINNED,
} from '@tempera/client-kit';

/** Takes a memory out of searches and lists. */
export const ARCHIVE_MEMORY = `
  mutation ArchiveMemory($id: ID!, $reason: String) { archiveMemory(id: $id, reason: $reason) { ${CHANGED_FIELDS} } }`;

/** Open conflicts of which the caller sees both sides. */
export const CONFLICTS = `
  query Conflicts($first: Int!, $after: String, $project: String) {
    conflicts(first: $first, after: $after, project: $project) {
      nodes { ...ConflictFields }
      pageInfo { hasNextPage endCursor }
    }
  }
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
