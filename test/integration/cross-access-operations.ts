import { randomUUID } from 'node:crypto';
import { SCOPE_OPERATIONS, type ScopeTarget } from './scope-operations.js';
import { TURN_OPERATIONS, type TurnTarget } from './turn-operations.js';
import { UPKEEP_OPERATIONS } from './upkeep-operations.js';

/** Something an attacker knows the name of, and the word that would give it away. */
export interface Target extends ScopeTarget, TurnTarget {
  readonly tenant: number;
  readonly tokenId: string;
  readonly runId: string;
  readonly tenantId: string;
  readonly ruleId: string;
  readonly sessionId: string;
  readonly invitationId: string;
  readonly identityId: string;
  readonly upkeepRunId: string;
  readonly exportId: string;
  readonly erasureId: string;
}

const MEMORY = 'id title text history { text } related { memory { text } }';
/** Operations that take the name of something, with every form of naming a target's things. */
export const OPERATIONS: Readonly<
  Record<string, { document: string; variables: (t: Target) => Record<string, unknown>[] }>
> = {
  ...SCOPE_OPERATIONS,
  conflicts: {
    document: `query ($project: String) { conflicts(first: 100, project: $project) { nodes { first { ${MEMORY} } second { ${MEMORY} } differences } } }`,
    variables: (t) => [{ project: t.projectSlug }],
  },
  resolveConflict: {
    document: `mutation ($first: ID!, $second: ID!) { resolveConflict(input: { first: $first, second: $second, resolution: KEEP_FIRST }) { first { ${MEMORY} } } }`,
    variables: (t) => t.memoryIds.map((first, index) => ({ first, second: t.memoryIds[index + 1] ?? t.memoryIds[0] })),
  },
  ...TURN_OPERATIONS,
  ...UPKEEP_OPERATIONS,
  memory: {
    document: `query ($id: ID!) { memory(id: $id) { ${MEMORY} } }`,
    variables: (t) => t.memoryIds.flatMap((id) => [{ id }, { id: id.slice(0, 8) }]),
  },
  memories: {
    document: `query ($project: String) { memories(first: 100, filter: { project: $project }) { totalCount nodes { ${MEMORY} } } }`,
    variables: (t) => [{ project: t.projectSlug }],
  },
  project: {
    document: 'query ($slug: String!) { project(slug: $slug) { id slug name members { user { id } } } }',
    variables: (t) => [{ slug: t.projectSlug }],
  },
  status: {
    document: 'query ($project: String) { status(project: $project) { memories ownMemories advice } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  stats: {
    document: 'query ($project: String) { stats(project: $project) { memories asked helpful domains { name } } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  trends: {
    document: 'query ($project: String) { trends(project: $project) { points { asked captured } domains { name } } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  propagationPreview: {
    document: 'query ($project: String) { propagationPreview(project: $project) { sources touched } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  exportData: {
    document:
      'mutation ($project: String) { exportData(input: { kind: PROJECT, project: $project }) { id project manifest } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  importMemories: {
    document: `mutation ($project: String, $id: String!) { importMemories(input: { origin: "x", execute: true, items: [
      { sourceId: $id, memory: { text: "planted", project: $project, scope: PROJECT } }] }) { items { status code message } } }`,
    variables: (t) => [{ project: t.projectSlug, id: 'x' }],
  },
  dataExport: {
    document: 'query ($id: ID!) { dataExport(id: $id) { id project manifest } }',
    variables: (t) => [{ id: t.exportId }],
  },
  exportPart: {
    document: 'query ($id: ID!) { exportPart(id: $id, file: "memories.jsonl", part: 0) }',
    variables: (t) => [{ id: t.exportId }],
  },
  maintenanceRun: {
    document: 'query ($id: ID!) { maintenanceRun(id: $id) { id status } }',
    variables: (t) => [{ id: t.runId }],
  },
  maintenanceChanges: {
    document: 'query ($id: ID!) { maintenanceChanges(runId: $id, first: 100) { nodes { memoryId reasons } } }',
    variables: (t) => [{ id: t.runId }],
  },
  cancelMaintenance: {
    document: 'mutation ($id: ID!) { cancelMaintenance(id: $id) { id status } }',
    variables: (t) => [{ id: t.runId }],
  },
  retrieve: {
    document: `mutation ($project: String) { retrieve(input: { query: "canary", project: $project, limit: 50 }) { hits { memory { ${MEMORY} } } } }`,
    variables: (t) => [{ project: t.projectSlug }],
  },
  brief: {
    document: `query ($project: String) { brief(input: { task: "canary", project: $project, domain: "canary" }) { items { text memory { ${MEMORY} } } } }`,
    variables: (t) => [{ project: t.projectSlug }],
  },
  feedback: {
    document:
      'mutation ($ids: [ID!]!) { feedback(input: { memoryIds: $ids, helpful: true }) { recorded rejected { id reason } } }',
    variables: (t) => t.memoryIds.map((id) => ({ ids: [id] })),
  },
  capture: {
    document:
      'mutation ($project: String) { capture(input: { text: "planted", project: $project, scope: PROJECT }) { memory { id } } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  editMemory: {
    document: `mutation ($id: ID!) { editMemory(id: $id, expectedRevision: 1, input: { text: "taken over" }) { memory { ${MEMORY} } } }`,
    variables: (t) => t.memoryIds.flatMap((id) => [{ id }, { id: id.slice(0, 8) }]),
  },
  ...Object.fromEntries(
    [
      ['setPinned', ', pinned: true'],
      ['setVerification', ', verification: STABLE'],
      ['archiveMemory', ', reason: "mine now"'],
      ['refuteMemory', ', reason: "mine now"'],
      ['restoreMemory', ''],
      ['forgetMemory', ''],
    ].map(([name, more]) => [
      name,
      {
        document: `mutation ($id: ID!) { ${name}(id: $id${more}) { ${MEMORY} } }`,
        variables: (t: Target) => t.memoryIds.map((id) => ({ id })),
      },
    ]),
  ),
  addMember: {
    document: 'mutation ($input: AddMemberInput!) { addMember(input: $input) { role } }',
    variables: (t) => [
      { input: { project: t.projectSlug, userId: t.userId } },
      { input: { project: 'own', userId: t.userId } },
    ],
  },
  removeMember: {
    document: 'mutation ($project: String!, $userId: ID!) { removeMember(project: $project, userId: $userId) { id } }',
    variables: (t) => [{ project: t.projectSlug, userId: t.userId }],
  },
  revokeToken: {
    document: 'mutation ($id: ID!) { revokeToken(id: $id) { id } }',
    variables: (t) => [{ id: t.tokenId }],
  },
  inviteUser: {
    document:
      'mutation ($project: String) { inviteUser(input: { displayName: "Mole", project: $project, projectRole: READER }) { id } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  suspendTenant: {
    document: 'mutation ($id: ID!) { suspendTenant(id: $id) { id } }',
    variables: (t) => [{ id: t.tenantId }],
  },
  quota: {
    document: 'query ($id: ID!) { quota(tenantId: $id) { tenantId } }',
    variables: (t) => [{ id: t.tenantId }],
  },
  setQuota: {
    document: 'mutation ($id: ID!) { setQuota(tenantId: $id, input: { memories: 1 }) { tenantId } }',
    variables: (t) => [{ id: t.tenantId }],
  },
  resumeTenant: {
    document: 'mutation ($id: ID!) { resumeTenant(id: $id) { id } }',
    variables: (t) => [{ id: t.tenantId }],
  },
  tenantDeletion: {
    document: 'query ($id: ID!) { tenantDeletion(id: $id) { id status } }',
    variables: (t) => [{ id: t.tenantId }],
  },
  deleteTenant: {
    document: 'mutation ($id: ID!) { deleteTenant(id: $id, confirmName: "x") { id } }',
    variables: (t) => [{ id: t.tenantId }],
  },
  disableOperator: {
    document: 'mutation ($id: ID!) { disableOperator(id: $id) { id } }',
    variables: (t) => [{ id: t.userId }],
  },
  ...Object.fromEntries(
    ['suspendUser', 'resumeUser'].map((name) => [
      name,
      {
        document: `mutation ($id: ID!) { ${name}(id: $id) { id } }`,
        variables: (t: Target) => [{ id: t.userId }],
      },
    ]),
  ),
  updateUser: {
    document: 'mutation ($id: ID!) { updateUser(id: $id, role: MEMBER) { id } }',
    variables: (t) => [{ id: t.userId }],
  },
  removeUser: {
    document: 'mutation ($input: RemoveUserInput!) { removeUser(input: $input) { finished } }',
    variables: (t) => [{ input: { userId: t.userId, sharedMemories: 'KEEP' } }],
  },
  eraseUser: {
    document: 'mutation ($input: EraseUserInput!) { eraseUser(input: $input) { id status } }',
    variables: (t) => [{ input: { userId: t.userId, confirmName: 'x', sharedMemories: 'ERASE' } }],
  },
  erasure: {
    document: 'query ($id: ID!) { erasure(id: $id) { id userId counts { what rows } } }',
    variables: (t) => [{ id: t.erasureId }],
  },
  updateProject: {
    document: 'mutation ($project: String!) { updateProject(project: $project, input: { name: "Mine" }) { id } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  ...Object.fromEntries(
    ['archiveProject', 'restoreProject'].map((name) => [
      name,
      {
        document: `mutation ($project: String!) { ${name}(project: $project) { id } }`,
        variables: (t: Target) => [{ project: t.projectSlug }],
      },
    ]),
  ),
  ...Object.fromEntries(
    ['addRemote', 'removeRemote'].map((name) => [
      name,
      {
        document: `mutation ($project: String!) { ${name}(project: $project, remote: "https://git.example.org/x") { id } }`,
        variables: (t: Target) => [{ project: t.projectSlug }],
      },
    ]),
  ),
  settings: {
    document: 'query ($project: String) { settings(project: $project) { key } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  setSetting: {
    document:
      'mutation ($project: String) { setSetting(input: { key: "retrieval.max_boost", value: "0.2", project: $project }) { key } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  resetSetting: {
    document:
      'mutation ($project: String) { resetSetting(input: { key: "retrieval.max_boost", project: $project }) { key } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  recallRules: {
    document: 'query ($project: String) { recallRules(project: $project) { id } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  createRecallRule: {
    document:
      'mutation ($project: String) { createRecallRule(level: PROJECT, project: $project, input: { name: "x", effect: FIRST, conditions: { pinned: true } }) { id } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  updateRecallRule: {
    document:
      'mutation ($id: ID!) { updateRecallRule(id: $id, input: { name: "x", effect: FIRST, conditions: { pinned: true } }) { id } }',
    variables: (t) => [{ id: t.ruleId }],
  },
  deleteRecallRule: {
    document: 'mutation ($id: ID!) { deleteRecallRule(id: $id) { id } }',
    variables: (t) => [{ id: t.ruleId }],
  },
  auditLog: {
    document: 'query ($id: ID!) { auditLog(first: 1, filter: { actorId: $id }) { nodes { seq } } }',
    variables: (t) => [{ id: t.userId }],
  },
  sessions: {
    document: 'query ($id: ID) { sessions(first: 1, userId: $id) { nodes { id } } }',
    variables: (t) => [{ id: t.userId }],
  },
  endSession: {
    document: 'mutation ($id: ID!) { endSession(id: $id) { id } }',
    variables: (t) => [{ id: t.sessionId }],
  },
  revokeInvitation: {
    document: 'mutation ($id: ID!) { revokeInvitation(id: $id) { id } }',
    variables: (t) => [{ id: t.invitationId }],
  },
  identities: {
    document: 'query ($id: ID) { identities(first: 1, userId: $id) { nodes { id } } }',
    variables: (t) => [{ id: t.userId }],
  },
  unlinkIdentity: {
    document: 'mutation ($id: ID!) { unlinkIdentity(id: $id) { __typename } }',
    variables: (t) => [{ id: t.identityId }],
  },
};

/** A target that does not exist. */
export const nobody = (t: Target): Target => ({
  ...t,
  memoryIds: t.memoryIds.map(() => randomUUID()),
  projectSlug: `nothing-${randomUUID().slice(0, 8)}`,
  groupSlug: `nothing-${randomUUID().slice(0, 8)}`,
  proposalId: randomUUID(),
  changeId: randomUUID(),
  userId: randomUUID(),
  tokenId: randomUUID(),
  runId: randomUUID(),
  tenantId: randomUUID(),
  ruleId: randomUUID(),
  sessionId: randomUUID(),
  invitationId: randomUUID(),
  identityId: randomUUID(),
  upkeepRunId: randomUUID(),
  ...{ exportId: randomUUID(), conversationId: randomUUID() },
  erasureId: randomUUID(),
  encoderChangeId: randomUUID(),
});
