/**
 * Who may come with each operation. It decides nothing: decorators, services and policies do, and a test calls each
 * operation as each role and compares. A new operation without a line here fails that test.
 */

/**
 * `member`: everyone of the tenant, for what is theirs or shared with them. `maintainer`: of the project that is named, and
 * owners and admins. `admin`: owners and admins.
 */
export type Who = 'anyone' | 'operator' | 'member' | 'maintainer' | 'admin';

export interface OperationRule {
  readonly who: Who;
  /** The scope that a machine's token needs besides the role of its person; `none`: people alone; `any`: no token is asked. */
  readonly machines: 'any' | 'none' | 'read' | 'write' | 'admin';
}

export const OPERATION_RULES: Readonly<Record<string, OperationRule>> = {
  addMember: { who: 'maintainer', machines: 'admin' },
  addRemote: { who: 'maintainer', machines: 'admin' },
  approveDevice: { who: 'member', machines: 'none' },
  archiveMemory: { who: 'member', machines: 'write' },
  archiveProject: { who: 'admin', machines: 'admin' },
  auditLog: { who: 'admin', machines: 'admin' },
  capture: { who: 'member', machines: 'write' },
  captureMany: { who: 'member', machines: 'write' },
  createLoginCode: { who: 'member', machines: 'none' },
  createOperatorCode: { who: 'operator', machines: 'none' },
  createProject: { who: 'admin', machines: 'admin' },
  createRecallRule: { who: 'member', machines: 'write' },
  createTenant: { who: 'operator', machines: 'none' },
  deleteRecallRule: { who: 'member', machines: 'write' },
  deleteTenant: { who: 'operator', machines: 'none' },
  denyDevice: { who: 'member', machines: 'none' },
  device: { who: 'member', machines: 'none' },
  disableOperator: { who: 'operator', machines: 'none' },
  editMemory: { who: 'member', machines: 'write' },
  endSession: { who: 'member', machines: 'admin' },
  exchangeToken: { who: 'anyone', machines: 'any' },
  exportAudit: { who: 'admin', machines: 'admin' },
  feedback: { who: 'member', machines: 'write' },
  forgetMemory: { who: 'member', machines: 'write' },
  instanceHealth: { who: 'operator', machines: 'none' },
  inviteUser: { who: 'admin', machines: 'none' },
  issueToken: { who: 'member', machines: 'none' },
  login: { who: 'anyone', machines: 'any' },
  logout: { who: 'member', machines: 'none' },
  maintenanceRun: { who: 'member', machines: 'read' },
  maintenanceRuns: { who: 'member', machines: 'read' },
  me: { who: 'member', machines: 'read' },
  memories: { who: 'member', machines: 'read' },
  memory: { who: 'member', machines: 'read' },
  operatorLog: { who: 'operator', machines: 'none' },
  operatorLogin: { who: 'anyone', machines: 'any' },
  operators: { who: 'operator', machines: 'none' },
  project: { who: 'member', machines: 'read' },
  projects: { who: 'member', machines: 'read' },
  quota: { who: 'operator', machines: 'none' },
  recallRules: { who: 'member', machines: 'read' },
  refresh: { who: 'anyone', machines: 'any' },
  removeMember: { who: 'admin', machines: 'admin' },
  removeRemote: { who: 'maintainer', machines: 'admin' },
  removeUser: { who: 'admin', machines: 'none' },
  resetSetting: { who: 'admin', machines: 'admin' },
  restoreMemory: { who: 'member', machines: 'write' },
  restoreProject: { who: 'admin', machines: 'admin' },
  resumeTenant: { who: 'operator', machines: 'none' },
  resumeUser: { who: 'admin', machines: 'admin' },
  retrieve: { who: 'member', machines: 'read' },
  revokeToken: { who: 'member', machines: 'admin' },
  runMaintenance: { who: 'admin', machines: 'admin' },
  schedules: { who: 'admin', machines: 'admin' },
  service: { who: 'anyone', machines: 'any' },
  sessions: { who: 'member', machines: 'admin' },
  setDefaultQuota: { who: 'operator', machines: 'none' },
  setPinned: { who: 'member', machines: 'write' },
  setQuota: { who: 'operator', machines: 'none' },
  setSchedule: { who: 'admin', machines: 'admin' },
  setSetting: { who: 'admin', machines: 'admin' },
  setVerification: { who: 'member', machines: 'write' },
  settings: { who: 'member', machines: 'read' },
  status: { who: 'member', machines: 'read' },
  suspendTenant: { who: 'operator', machines: 'none' },
  suspendUser: { who: 'admin', machines: 'admin' },
  tenants: { who: 'operator', machines: 'none' },
  tokens: { who: 'member', machines: 'admin' },
  updateProject: { who: 'maintainer', machines: 'admin' },
  updateRecallRule: { who: 'member', machines: 'write' },
  updateTenant: { who: 'admin', machines: 'admin' },
  updateUser: { who: 'admin', machines: 'none' },
  usage: { who: 'member', machines: 'none' },
  users: { who: 'member', machines: 'admin' },
  verifyAudit: { who: 'admin', machines: 'admin' },
  verifyOperatorLog: { who: 'operator', machines: 'none' },
};
