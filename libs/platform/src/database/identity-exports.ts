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
export { answerDeviceCode } from './repositories/device-code.repository.js';
export {
  findInvitation,
  insertInvitation,
  type InvitationPosition,
  type InvitationRecord,
  listInvitations,
  type NewInvitation,
  revokeInvitation,
} from './repositories/invitation.repository.js';
export {
  deleteLoginIdentity,
  findLoginIdentityUser,
  insertLoginIdentity,
  listLoginIdentities,
  type LoginIdentityPosition,
  type LoginIdentityRecord,
} from './repositories/login-identity.repository.js';
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
  deleteMembershipsOf,
  deleteRemote,
  findMemberships,
  findMembershipsOf,
  findProjectBySlug,
  findProjects,
  findRemotes,
  insertProject,
  insertRemote,
  listProjects,
  type MembershipRecord,
  type NewProject,
  type ProjectChange,
  type ProjectRecord,
  type ProjectRole,
  putMembership,
  updateProject,
} from './repositories/project.repository.js';
export {
  findNights,
  promiseSchedule,
  type ScheduleChange,
  type ScheduleKind,
  type ScheduleRecord,
  type StepChangeWish,
  updateNights,
  wishStep,
} from './repositories/schedule.repository.js';
export { findTenant, type TenantChange, type TenantRecord, updateTenant } from './repositories/tenant.repository.js';
export {
  findUsers,
  listUsers,
  myTenantRole,
  setUserRole,
  setUserStatus,
  USER_STATUSES,
  type UserListFilter,
  type UserPosition,
  type UserRecord,
  type UserStatus,
} from './repositories/user.repository.js';
