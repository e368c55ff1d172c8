import type { Connection } from './connect.js';
import { createEntryDoor } from './entry-door.js';
import { inContext, requireUuid, type DoorRole, type TransactionLimits, type Tx } from './context.js';
import { watchFunctions } from './watch-functions.js';
import type {
  ActiveTenant,
  ClosedTenant,
  CreatedTenant,
  CreateTenantInput,
  FoundAccessToken,
  FoundRefresh,
  OpenDeparture,
  OpenedSession,
  OutboxClaim,
  PurgeBatch,
  StoppedRun,
  RedeemInviteInput,
  RefreshRotation,
  RotateRefreshInput,
  SessionCheck,
  SessionToCheck,
  SystemDoor,
  WantedErasure,
  WantedExport,
  WrongAttempt,
} from './system-functions.js';

/** Runs one function as a role; the function decides what it answers. */
type Call = <T>(role: DoorRole, work: (tx: Tx) => Promise<T>) => Promise<T>;

const seconds = (value: number): string => `${value} seconds`;

const sessions = (call: Call): Pick<SystemDoor, 'checkSession' | 'findRefresh' | 'rotateRefresh' | 'findPat'> => ({
  checkSession: ({ tenantId, userId, sessionId, generation }: SessionToCheck) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<SessionCheck[]>`/* kept */ 
        select tenant_role as "tenantRole", session_kind as "sessionKind", scopes
        from session_access(${tenantId}::uuid, ${userId}::uuid, ${sessionId}::uuid, ${generation}::integer)`;
      return rows[0] ?? null;
    }),
  findRefresh: (hash) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<FoundRefresh[]>`
        select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId", generation,
          key_id as "keyId" from find_refresh(${hash})`;
      return rows[0] ?? null;
    }),
  rotateRefresh: (input: RotateRefreshInput) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<RefreshRotation[]>`
        select status, tenant_id as "tenantId", user_id as "userId", session_id as "sessionId", generation,
          tenant_role as "tenantRole"
        from rotate_refresh(${input.parentHash}, ${input.childHash}, ${input.keyId},
          ${seconds(input.idleSeconds)}::interval)`;
      return rows[0] ?? null;
    }),
  findPat: (hash) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<FoundAccessToken[]>`
        select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId", token_id as "tokenId", scopes,
          tenant_role as "tenantRole" from find_pat(${hash})`;
      return rows[0] ?? null;
    }),
});

const invitations = (call: Call): Pick<SystemDoor, 'findInvite' | 'redeemInvite' | 'createTenant'> => ({
  findInvite: (hash) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<CreatedTenant[]>`
        select tenant_id as "tenantId", invitation_id as "invitationId" from find_invite(${hash})`;
      return rows[0] ?? null;
    }),
  redeemInvite: (input: RedeemInviteInput) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<OpenedSession[]>`
        select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId", tenant_role as "tenantRole"
        from redeem_invite(${input.codeHash}, ${input.client}, ${input.refreshHash}, ${input.keyId},
          ${seconds(input.idleSeconds)}::interval, ${seconds(input.absoluteSeconds)}::interval)`;
      return rows[0] ?? null;
    }),
  createTenant: (operatorId, input: CreateTenantInput) =>
    call('mem_operator', async (tx) => {
      const [row] = await tx.$queryRaw<CreatedTenant[]>`
        select tenant_id as "tenantId", invitation_id as "invitationId"
        from create_tenant(${requireUuid(operatorId, 'operator')}::uuid, ${input.name}, ${input.timeZone},
          ${input.ownerName}, ${input.ownerEmail ?? null}, ${input.codeHash}, ${seconds(input.codeSeconds)}::interval)`;
      if (!row) throw new Error('create_tenant returned no row');
      return row;
    }),
});

const machines = (call: Call, machineRole: DoorRole): Pick<SystemDoor, 'listActiveTenants' | 'claimOutbox'> => ({
  listActiveTenants: () =>
    call(
      machineRole,
      (tx) => tx.$queryRaw<ActiveTenant[]>`
        select tenant_id as "tenantId", time_zone as "timeZone" from list_active_tenants()`,
    ),
  claimOutbox: (kinds, limit, leaseSeconds, { perTenant, except = [] } = {}) =>
    call(
      machineRole,
      (tx) => tx.$queryRaw<OutboxClaim[]>`
        select tenant_id as "tenantId", id, kind, subject_id as "subjectId", attempts
        from claim_outbox(${[...kinds]}::text[], ${limit}::integer, ${seconds(leaseSeconds)}::interval,
          ${perTenant ?? null}::integer, ${[...except]}::uuid[])`,
    ),
});

type Stopping = Pick<SystemDoor, 'listStoppedRuns' | 'noteStoppedRun'>;

const stopping = (call: Call): Stopping => ({
  listStoppedRuns: (limit) =>
    call(
      'mem_worker',
      (tx) => tx.$queryRaw<StoppedRun[]>`
        select tenant_id as "tenantId", run_id as "runId", workflow_id as "workflowId"
        from list_stopped_runs(${limit}::integer)`,
    ),
  noteStoppedRun: ({ tenantId, runId }) =>
    call('mem_worker', async (tx) => {
      await tx.$queryRaw`select note_stopped_run(${requireUuid(tenantId, 'tenant')}::uuid, ${runId}::uuid)::text`;
    }),
});

type Upkeep = Pick<SystemDoor, 'listClosedTenants' | 'deleteTenant' | 'listDepartures' | 'releaseExpired' | 'beat'>;

const upkeep = (call: Call): Upkeep => ({
  listClosedTenants: () =>
    call(
      'mem_worker',
      (tx) => tx.$queryRaw<ClosedTenant[]>`select tenant_id as "tenantId", status, since from list_closed_tenants()`,
    ),
  deleteTenant: (tenantId, limit) =>
    call('mem_worker', async (tx) => {
      const [row] = await tx.$queryRaw<PurgeBatch[]>`
        select removed, finished from delete_tenant(${requireUuid(tenantId, 'tenant')}::uuid, ${limit}::integer)`;
      if (!row) throw new Error('delete_tenant returned no row');
      return row;
    }),
  listDepartures: () =>
    call(
      'mem_worker',
      (tx) => tx.$queryRaw<OpenDeparture[]>`select tenant_id as "tenantId", user_id as "userId" from list_departures()`,
    ),
  releaseExpired: (limit) =>
    call('mem_worker', async (tx) => {
      const [row] = await tx.$queryRaw<{ done: number }[]>`select release_expired(${limit}::integer) as done`;
      return row?.done ?? 0;
    }),
  beat: ({ program, processId, version, startedAt, engineAnswers = false }) =>
    call('mem_worker', async (tx) => {
      await tx.$queryRaw`select beat(${program}, ${processId}::uuid, ${version}, ${startedAt}, ${engineAnswers})::text`;
    }),
});

const lifeCycle = (
  call: Call,
): Pick<
  SystemDoor,
  'listWantedExports' | 'purgeExports' | 'listWantedErasures' | 'listWantedDeletions' | 'listWantedEncoderChanges'
> => ({
  listWantedEncoderChanges: (limit) =>
    call(
      'mem_worker',
      (tx) => tx.$queryRaw<{ tenantId: string }[]>`
        select tenant_id as "tenantId" from list_wanted_encoder_changes(${limit}::integer)`,
    ),
  listWantedDeletions: (limit) =>
    call(
      'mem_worker',
      (tx) => tx.$queryRaw<{ tenantId: string }[]>`
        select tenant_id as "tenantId" from list_wanted_deletions(${limit}::integer)`,
    ),
  listWantedExports: (limit) =>
    call(
      'mem_worker',
      (tx) => tx.$queryRaw<WantedExport[]>`select tenant_id as "tenantId", export_id as "exportId", user_id as "userId"
        from list_wanted_exports(${limit}::integer)`,
    ),
  listWantedErasures: (limit) =>
    call(
      'mem_worker',
      (tx) => tx.$queryRaw<WantedErasure[]>`
        select tenant_id as "tenantId", erasure_id as "erasureId" from list_wanted_erasures(${limit}::integer)`,
    ),
  purgeExports: (limit) =>
    call('mem_worker', async (tx) => {
      const [row] = await tx.$queryRaw<{ done: number }[]>`select purge_exports(${limit}::integer) as done`;
      return row?.done ?? 0;
    }),
});

const operators = (call: Call): Pick<SystemDoor, 'redeemOperatorCode' | 'checkOperator'> => ({
  redeemOperatorCode: (hash) =>
    call('mem_operator', async (tx) => {
      const rows = await tx.$queryRaw<{ operatorId: string }[]>`
        select operator_id as "operatorId" from redeem_operator_code(${hash})`;
      return rows[0]?.operatorId ?? null;
    }),
  checkOperator: (operatorId) =>
    call('mem_operator', async (tx) => {
      const rows = await tx.$queryRaw<{ active: boolean }[]>`
        select check_operator(${requireUuid(operatorId, 'operator')}::uuid) as active`;
      return rows[0]?.active ?? false;
    }),
});

const attempts = (call: Call): Pick<SystemDoor, 'checkAttempts' | 'countAttempt'> => ({
  checkAttempts: (kind, hashes) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<{ seconds: number }[]>`
        select check_attempts(${kind}, ${hashes.map((hash) => Buffer.from(hash))}::bytea[]) as seconds`;
      return rows[0]?.seconds ?? 0;
    }),
  countAttempt: ({ kind, account, firstWaitSeconds, address }: WrongAttempt) =>
    call('mem_app', async (tx) => {
      await tx.$executeRaw`select count_attempt(${kind}, ${Buffer.from(account.hash)}, ${account.free}::integer,
        ${firstWaitSeconds}::integer, ${Buffer.from(address.hash)}, ${address.free}::integer)`;
    }),
});

/** The functions that work before a tenant is known or across tenants; they hand out ids, never a transaction. */
export const createSystemDoor = (
  connectionOf: (role: DoorRole) => Connection,
  machineRole: DoorRole,
  limits: TransactionLimits,
): SystemDoor => {
  const call: Call = async (role, work) => inContext(connectionOf(role), limits, { role }, work);
  return {
    ...sessions(call),
    ...createEntryDoor(call),
    ...invitations(call),
    ...machines(call, machineRole),
    ...stopping(call),
    ...upkeep(call),
    ...lifeCycle(call),
    ...operators(call),
    ...watchFunctions(call),
    ...attempts(call),
  };
};
