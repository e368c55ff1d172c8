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
  DEPARTURE_CHOICES,
  type DepartureChoice,
  insertDeparture,
  type NewDeparture,
  settleDeparture,
} from './repositories/departure.repository.js';
export {
  type Beat,
  changeTenantStatus,
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
