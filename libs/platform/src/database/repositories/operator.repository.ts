import type { Tx } from '../context.js';

// Everything here runs inside asOperator and asks the database's functions, which refuse whoever is no operator (any more).

export const TENANT_STATUSES = ['active', 'suspended', 'deleted'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** A tenant as operators see it: numbers, never contents. */
export interface TenantOverview {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
  readonly status: TenantStatus;
  readonly createdAt: Date;
  /** Active ones. */
  readonly users: number;
  /** Without archived ones. */
  readonly projects: number;
  /** All that is stored, whoever sees it. */
  readonly memories: number;
  /** Of a deleted one: until then it can be taken back. */
  readonly eraseAfter: Date | null;
}

export interface TenantListRequest {
  readonly id?: string;
  readonly status?: TenantStatus;
  /** Part of the name, in either case. */
  readonly search?: string;
  readonly after?: { readonly name: string; readonly id: string };
  readonly take: number;
}

/** Tenants by name. */
export const listTenants = (tx: Tx, request: TenantListRequest): Promise<TenantOverview[]> =>
  tx.$queryRaw<TenantOverview[]>`
    select id, name, time_zone as "timeZone", status, created_at as "createdAt", users, projects, memories, erase_after as "eraseAfter"
    from list_tenants(${request.id ?? null}::uuid, ${request.status ?? null}, ${request.search ?? null},
      ${request.after?.name ?? null}, ${request.after?.id ?? null}::uuid, ${request.take}::int)`;

/** What became of a change: `name` where the confirmation is not the tenant's name, `deleted` where nothing brings it back. */
export type StatusChange = 'changed' | 'unchanged' | 'missing' | 'name' | 'deleted';

/**
 * Suspends, resumes or deletes a tenant; deletion closes it at once and needs its name. Recorded on both sides.
 * @param graceDays of a deletion: so long it can be taken back
 */
export const changeTenantStatus = async (
  tx: Tx,
  tenantId: string,
  status: TenantStatus,
  name: string | null,
  graceDays = 0,
): Promise<StatusChange> => {
  const [row] = await tx.$queryRaw<{ change: StatusChange }[]>`
    select change_tenant_status(${tenantId}::uuid, ${status}, ${name}, make_interval(days => ${graceDays}::int)) as change`;
  return row?.change ?? 'missing';
};

export type DeletionStatus = 'waiting' | 'running' | 'completed' | 'failed' | 'taken-back';

/** A deletion as it stands; completed, it is the receipt, which outlives the tenant. Numbers, nothing that was erased. */
export interface TenantDeletion {
  /** The tenant's. */
  readonly id: string;
  readonly operatorId: string | null;
  readonly status: DeletionStatus;
  readonly requestedAt: Date;
  readonly eraseAfter: Date;
  /** Rows that went, by table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Tables that were searched for what is left. */
  readonly searched: number;
  /** Rows by table that name the tenant still; none in a receipt. */
  readonly traces: Readonly<Record<string, number>>;
  readonly finishedAt: Date | null;
}

/** The deletion of a tenant, that is there or was; null where there is none. */
export const findTenantDeletion = async (tx: Tx, id: string): Promise<TenantDeletion | null> => {
  const [row] = await tx.$queryRaw<TenantDeletion[]>`
    select id, operator_id as "operatorId", status, requested_at as "requestedAt", erase_after as "eraseAfter", counts, searched, traces,
      finished_at as "finishedAt" from show_tenant_deletion(${id}::uuid)`;
  return row ?? null;
};

export interface OperatorRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

/** Operators in the order they came, disabled ones too. */
export const listOperators = (tx: Tx): Promise<OperatorRecord[]> =>
  tx.$queryRaw<OperatorRecord[]>`
    select id, name, created_at as "createdAt", disabled_at as "disabledAt" from list_operators()`;

/** A further operator with a one-time code. @returns null where another operator has that name */
export const inviteOperator = async (
  tx: Tx,
  invited: { readonly name: string; readonly codeHash: Uint8Array; readonly codeSeconds: number },
): Promise<string | null> => {
  const [row] = await tx.$queryRaw<{ id: string | null }[]>`
    select invite_operator(${invited.name}, ${invited.codeHash}, ${`${invited.codeSeconds} seconds`}::interval) as id`;
  return row?.id ?? null;
};

/** `last`: nobody else has ever logged in, and an instance keeps one operator. */
export const disableOperator = async (tx: Tx, id: string): Promise<'disabled' | 'missing' | 'last'> => {
  const [row] = await tx.$queryRaw<{ outcome: 'disabled' | 'missing' | 'last' }[]>`
    select disable_operator(${id}::uuid) as outcome`;
  return row?.outcome ?? 'missing';
};

/** When a program last wrote that it lives. */
export interface Beat {
  readonly program: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly beatAt: Date;
  readonly ageSeconds: number;
  /** Since the workflow engine last answered it; null: never. */
  readonly engineAgeSeconds: number | null;
}

/** Latest first. */
export const listBeats = (tx: Tx): Promise<Beat[]> =>
  tx.$queryRaw<Beat[]>`
    select program, version, started_at as "startedAt", beat_at as "beatAt", age_seconds as "ageSeconds",
      engine_age_seconds as "engineAgeSeconds" from list_beats()`;

export interface InstanceFigures {
  readonly migrations: number;
  readonly latestMigration: string | null;
  readonly activeTenants: number;
  readonly suspendedTenants: number;
  /** Closed and not yet gone. */
  readonly deletedTenants: number;
  readonly outboxWaiting: number;
  /** Age of the oldest piece of work that waits. */
  readonly outboxLagSeconds: number;
}

export const instanceFigures = async (tx: Tx): Promise<InstanceFigures> => {
  const [row] = await tx.$queryRaw<InstanceFigures[]>`
    select migrations, latest_migration as "latestMigration", active_tenants as "activeTenants",
      suspended_tenants as "suspendedTenants", deleted_tenants as "deletedTenants", outbox_waiting as "outboxWaiting",
      outbox_lag_seconds as "outboxLagSeconds" from instance_figures()`;
  if (row === undefined) throw new Error('instance_figures returned no row');
  return row;
};
