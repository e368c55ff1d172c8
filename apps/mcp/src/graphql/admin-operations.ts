/*
 * What a tenant's owner and admins do.
 */

const USER_FIELDS = `fragment UserFields on User { id displayName email role status createdAt }`;

/** People of the tenant. */
export const LIST_USERS = `
  query ListUsers($first: Int!, $after: String, $filter: UserFilter) {
    users(first: $first, after: $after, filter: $filter) {
      nodes { ...UserFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${USER_FIELDS}`;

/** Gives a person another role. */
export const UPDATE_USER = `
  mutation UpdateUser($id: ID!, $role: TenantRole!) { updateUser(id: $id, role: $role) { ...UserFields } }
  ${USER_FIELDS}`;

/** Keeps a person out. */
export const SUSPEND_USER = `mutation SuspendUser($id: ID!) { suspendUser(id: $id) { ...UserFields } } ${USER_FIELDS}`;

/** Lets a suspended person in again. */
export const RESUME_USER = `mutation ResumeUser($id: ID!) { resumeUser(id: $id) { ...UserFields } } ${USER_FIELDS}`;

/** Removes a person for good. */
export const REMOVE_USER = `
  mutation RemoveUser($input: RemoveUserInput!) {
    removeUser(input: $input) { finished sessionsEnded sharedMemories underTheirName user { ...UserFields } }
  }
  ${USER_FIELDS}`;

const ERASURE_FIELDS = `fragment ErasureFields on Erasure {
  id userId requestedBy sharedMemories transferTo status memorySum searchedColumns requestedAt finishedAt
  counts { what rows } traces { what rows } mentions { what rows } }`;

/** Erases a person. */
export const ERASE_USER = `
  mutation EraseUser($input: EraseUserInput!) { eraseUser(input: $input) { ...ErasureFields } }
  ${ERASURE_FIELDS}`;

/** Erasures and their receipts. */
export const LIST_ERASURES = `
  query ListErasures($first: Int!, $after: String) {
    erasures(first: $first, after: $after) { nodes { ...ErasureFields } pageInfo { hasNextPage endCursor } }
  }
  ${ERASURE_FIELDS}`;

/** An erasure as it stands. */
export const SHOW_ERASURE = `query ShowErasure($id: ID!) { erasure(id: $id) { ...ErasureFields } } ${ERASURE_FIELDS}`;

const PROJECT_FIELDS = `fragment ProjectFields on Project { id slug name remotes archivedAt createdAt }`;

/** All projects of the tenant, or the archived ones. */
export const ADMIN_PROJECTS = `
  query AdminProjects($first: Int!, $after: String, $archived: Boolean!) {
    projects(first: $first, after: $after, archived: $archived) {
      nodes { ...ProjectFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${PROJECT_FIELDS}`;

/** Changes name or slug of a project. */
export const UPDATE_PROJECT = `
  mutation UpdateProject($project: String!, $input: UpdateProjectInput!) {
    updateProject(project: $project, input: $input) { ...ProjectFields }
  }
  ${PROJECT_FIELDS}`;

/** Archives a project. */
export const ARCHIVE_PROJECT = `
  mutation ArchiveProject($project: String!) { archiveProject(project: $project) { ...ProjectFields } }
  ${PROJECT_FIELDS}`;

/** Takes an archived project into use again. */
export const RESTORE_PROJECT = `
  mutation RestoreProject($project: String!) { restoreProject(project: $project) { ...ProjectFields } }
  ${PROJECT_FIELDS}`;

/** Gives a project one more remote. */
export const ADD_REMOTE = `
  mutation AddRemote($project: String!, $remote: String!) {
    addRemote(project: $project, remote: $remote) { ...ProjectFields }
  }
  ${PROJECT_FIELDS}`;

/** Takes a remote from a project. */
export const REMOVE_REMOTE = `
  mutation RemoveRemote($project: String!, $remote: String!) {
    removeRemote(project: $project, remote: $remote) { ...ProjectFields }
  }
  ${PROJECT_FIELDS}`;

/** Who is in a project. */
export const PROJECT_MEMBERS = `
  query ProjectMembers($slug: String!) {
    project(slug: $slug) { slug members { role user { id displayName } } }
  }`;

/** Puts a person into a project, or changes their role there. */
export const ADD_MEMBER = `
  mutation AddMember($input: AddMemberInput!) { addMember(input: $input) { role user { id displayName } } }`;

/** Takes a person out of a project. */
export const REMOVE_MEMBER = `
  mutation RemoveMember($project: String!, $userId: ID!) { removeMember(project: $project, userId: $userId) { slug } }`;

/** The tenant of the caller. */
export const OWN_TENANT = `query OwnTenant { me { tenant { id name timeZone createdAt } } }`;

/** Changes name or time zone of the tenant. */
export const UPDATE_TENANT = `
  mutation UpdateTenant($input: UpdateTenantInput!) { updateTenant(input: $input) { id name timeZone } }`;

const SCHEDULE_FIELDS = `fragment ScheduleFields on Schedule { kind cadence hour minute paused timeZone lastOn updatedAt }`;

/** When recurring work is wanted. */
export const SCHEDULES = `query Schedules { schedules { ...ScheduleFields } } ${SCHEDULE_FIELDS}`;

/** Changes when recurring work is wanted. */
export const SET_SCHEDULE = `
  mutation SetSchedule($input: SetScheduleInput!) { setSchedule(input: $input) { ...ScheduleFields } }
  ${SCHEDULE_FIELDS}`;

const RUN_FIELDS = `
  fragment RunFields on MaintenanceRun {
    id kind dryRun status runDate requestedAt startedAt finishedAt failure
    report {
      expired credited snapshots sources touched hops residual converged merged proposed guarded pruned erased cleared removed profiles measured setAside
    }
    steps { step state pages looked changed setAside }
  }`;

/** Runs of the tenant's maintenance. */
export const LIST_RUNS = `
  query ListRuns($first: Int!, $after: String) {
    maintenanceRuns(first: $first, after: $after) {
      nodes { ...RunFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${RUN_FIELDS}`;

/** One run with its report. */
export const SHOW_RUN = `query ShowRun($id: ID!) { maintenanceRun(id: $id) { ...RunFields } } ${RUN_FIELDS}`;

/** What a run did to memories that the caller sees, or would do. */
export const RUN_CHANGES = `
  query RunChanges($runId: ID!, $first: Int!, $after: String) {
    maintenanceChanges(runId: $runId, first: $first, after: $after) {
      nodes { step memoryId action reasons intoId }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** Cancels a run. */
export const CANCEL_RUN = `mutation CancelRun($id: ID!) { cancelMaintenance(id: $id) { ...RunFields } } ${RUN_FIELDS}`;

/** Asks for a run. */
export const START_RUN = `
  mutation StartRun($input: RunMaintenanceInput!) { runMaintenance(input: $input) { ...RunFields } }
  ${RUN_FIELDS}`;
