import type { Tx } from '../context.js';
import { belowFloor } from '../server-floor.js';
import type { WaitingWork } from '../system-functions.js';

/** The server that the database runs on. */
export interface ServerFacts {
  /** Such as `18.6`. */
  readonly postgres: string;
  readonly pgvector: string;
  /** What production would not run on; null: nothing. */
  readonly belowFloor: string | null;
  readonly isDurable: boolean;
  readonly now: Date;
}

export const readServerFacts = async (tx: Tx): Promise<ServerFacts> => {
  const [row] = await tx.$queryRaw<{ server: number; pgvector: string; fsync: string; now: Date }[]>`
    select current_setting('server_version_num')::int as server, current_setting('fsync') as fsync, clock_timestamp() as now,
      coalesce((select extversion from pg_extension where extname = 'vector'), '0')::text as pgvector`;
  if (row === undefined) throw new Error('The server told nothing of itself.');
  const { server, pgvector, fsync, now } = row;
  const postgres = `${Math.floor(server / 10_000)}.${server % 10_000}`;
  return { postgres, pgvector, belowFloor: belowFloor(server, pgvector) ?? null, isDurable: fsync === 'on', now };
};

/** As an operator. */
export const doctorOutbox = (tx: Tx): Promise<WaitingWork[]> =>
  tx.$queryRaw<WaitingWork[]>`select kind, waiting, stuck, oldest_seconds as "oldestSeconds" from doctor_outbox()`;

export type TenantProblem = 'night-missed' | 'night-failed' | 'quota' | 'partition';

/** A tenant that a person should look at: an opaque id. */
export interface TroubledTenant {
  readonly problem: TenantProblem;
  readonly tenantId: string;
  /** Hours since the last completed night; the share of the quota; memories. */
  readonly amount: number;
}

/** As an operator: at most a thousand, the worst of each problem first. */
export const troubledTenants = (tx: Tx): Promise<TroubledTenant[]> =>
  tx.$queryRaw<TroubledTenant[]>`select problem, tenant_id as "tenantId", amount from doctor_tenants()`;

/** How the caller's own tenant fares. */
export interface TenantCondition {
  readonly waiting: number;
  readonly stuck: number;
  readonly oldestSeconds: number;
  /** Memories that no encoder could read. */
  readonly unread: number;
  readonly paused: boolean;
  readonly nightMissed: boolean;
  readonly nightFailed: boolean;
  readonly nightCompletedAt: Date | null;
  readonly failedRun: string | null;
  readonly memories: number;
  readonly memoriesQuota: number;
  readonly bytes: number;
  readonly bytesQuota: number;
  /** Since any worker's last sign of life; null: none within a day. */
  readonly workerSeconds: number | null;
  /** Since the workflow engine last answered one. */
  readonly engineSeconds: number | null;
  readonly needsPartition: boolean;
}

/** As a person; null for who is no admin. */
export const tenantCondition = async (tx: Tx): Promise<TenantCondition | null> => {
  const [row] = await tx.$queryRaw<TenantCondition[]>`
    select waiting, stuck, oldest_seconds as "oldestSeconds", unread, paused, night_missed as "nightMissed",
      night_failed as "nightFailed", night_completed_at as "nightCompletedAt", failed_run as "failedRun", memories,
      memories_quota as "memoriesQuota", bytes, bytes_quota as "bytesQuota", worker_seconds as "workerSeconds",
      engine_seconds as "engineSeconds", needs_partition as "needsPartition" from doctor_tenant()`;
  return row ?? null;
};
