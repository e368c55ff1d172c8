export {
  type AccessTokenPosition,
  type AccessTokenRecord,
  findAccessToken,
  insertAccessToken,
  listAccessTokens,
  type NewAccessToken,
  revokeAccessToken,
} from './repositories/access-token.repository.js';
export { appendAudit, type AuditEntry } from './repositories/audit.repository.js';
export { insertInvitation, type NewInvitation } from './repositories/invitation.repository.js';
export {
  endSession,
  endSessionsOf,
  findLoginSession,
  findSessionEnd,
  listLoginSessions,
  type LoginSessionPosition,
  type LoginSessionRecord,
  sessionKind,
} from './repositories/login-session.repository.js';
export {
  deleteMembership,
  findMemberships,
  findMembershipsOf,
  findProjectBySlug,
  findProjects,
  findRemotes,
  insertProject,
  listProjects,
  type MembershipRecord,
  type NewProject,
  type ProjectRecord,
  type ProjectRole,
  putMembership,
} from './repositories/project.repository.js';
export { findTenant, type TenantRecord } from './repositories/tenant.repository.js';
export {
  findUsers,
  listUsers,
  myTenantRole,
  type UserPosition,
  type UserRecord,
} from './repositories/user.repository.js';
