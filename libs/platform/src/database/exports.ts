export { beyondSignal, currentSignal, withinSignal } from './abort-scope.js';
export { checkAtStart } from './check-at-start.js';
export { Prisma } from '../generated/prisma/client.js';
export type { DoorRole, Tx } from './context.js';
export { gotNoAnswer, isRefused, isUniqueViolation, sqlStateOf } from './database-errors.js';
export { createDoors, type Doors, type DoorsOptions, type Identity } from './doors.js';
export type {
  DeviceAnswer,
  KnownTenant,
  OidcPurpose,
  ProviderIdentity,
  SessionIds,
  WaitingDevice,
} from './entry-functions.js';
export { migrationNames } from './migration-list.js';
export type {
  ActiveTenant,
  BeatInput,
  ClosedTenant,
  AttemptSubject,
  CreatedTenant,
  CreateTenantInput,
  FoundAccessToken,
  FoundRefresh,
  OpenDeparture,
  OpenedSession,
  OutboxClaim,
  OutboxKind,
  PurgeBatch,
  StoppedRun,
  RedeemInviteInput,
  RefreshRotation,
  RotateRefreshInput,
  SessionCheck,
  SessionKind,
  SessionToCheck,
  SystemDoor,
  TenantRole,
  TokenScope,
  WantedErasure,
  WantedExport,
  WrongAttempt,
} from './system-functions.js';
export { INDEXED_DIMENSIONS, isIndexedDimensions, partitionName, vectorIndexName } from './vector-index.js';
