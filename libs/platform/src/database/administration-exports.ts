export {
  CHAIN_START,
  type ChainFault,
  type ChainPage,
  type ChainPosition,
  listOperatorLog,
  type OperatorLogRow,
  verifyAuditPage,
  verifyOperatorLogPage,
} from './repositories/audit-chain.repository.js';
export {
  type AuditListFilter,
  type AuditRow,
  exportAuditRows,
  listAudit,
} from './repositories/audit-list.repository.js';
export {
  deleteRecallRule,
  findRecallRule,
  insertRecallRule,
  listRecallRules,
  type RecallRuleRecord,
  updateRecallRule,
} from './repositories/recall-rule.repository.js';
export {
  doctorOutbox,
  readServerFacts,
  type ServerFacts,
  tenantCondition,
  type TenantCondition,
  type TenantProblem,
  troubledTenants,
  type TroubledTenant,
} from './repositories/doctor.repository.js';
export type { WaitingWork } from './system-functions.js';
export { pairwiseCosines } from './repositories/retrieval-cosines.js';
export {
  inRuleOrder,
  listSettings,
  readRecallPolicy,
  readSettings,
  type RecallPolicy,
  type SettingChange,
  type SettingRecord,
  writeSetting,
} from './repositories/setting.repository.js';
export { areActive, readTenantEncoders, STANDARD_TENANT, type TenantEncoders } from './repositories/tenant-encoders.js';
export {
  countLeftBehind,
  DEPARTURE_CHOICES,
  type DepartureChoice,
  insertDeparture,
  type NewDeparture,
  settleDeparture,
} from './repositories/departure.repository.js';
export {
  type Beat,
  changeTenantStatus,
  type DeletionStatus,
  findTenantDeletion,
  type TenantDeletion,
  disableOperator,
  instanceFigures,
  type InstanceFigures,
  inviteOperator,
  listBeats,
  listOperators,
  listTenants,
  type OperatorRecord,
  type StatusChange,
  TENANT_STATUSES,
  type TenantListRequest,
  type TenantOverview,
  type TenantStatus,
} from './repositories/operator.repository.js';
