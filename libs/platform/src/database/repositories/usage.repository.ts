import { asId, type ProjectId, type TenantId, type UserId } from '@tempera/core';
import type { Tx } from '../context.js';

/** What a tenant may keep and do; every part is a number, the instance's default where nothing else is set. */
export interface QuotaRecord {
  readonly memories: number;
  readonly bytes: number;
  readonly embeddingsPerDay: number;
  readonly userPointsPerMinute: number;
  readonly tenantPointsPerMinute: number;
}

/** What a tenant keeps. */
export interface UsageRecord {
  readonly memories: number;
  readonly bytes: number;
  readonly embeddingsToday: number;
}

/** What one person or project keeps. */
export interface KeptBy<Id> {
  readonly id: Id;
  readonly memories: number;
  readonly bytes: number;
}

export type UsageMeasure = 'captures' | 'embeddings' | 'retrievals' | 'points';

/** How much somebody did on a day, as far as the caller may know. */
export interface DayRecord {
  readonly userId: UserId;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly measure: UsageMeasure;
  readonly amount: number;
}

/** Changes by column; null goes back to the instance's default, an absent one stays. */
export type QuotaChanges = Readonly<Partial<Record<QuotaColumn, number | null>>>;
export type QuotaColumn =
  'memories' | 'bytes' | 'embeddings_per_day' | 'user_points_per_minute' | 'tenant_points_per_minute';

/** The quota of the caller's tenant; null for nobody. */
export const readMyQuota = async (tx: Tx): Promise<QuotaRecord | null> => {
  const [row] = await tx.$queryRaw<QuotaRecord[]>`
    select memories::float8, bytes::float8, embeddings_per_day::float8 as "embeddingsPerDay",
      user_points_per_minute::float8 as "userPointsPerMinute", tenant_points_per_minute::float8 as "tenantPointsPerMinute"
    from my_quota()`;
  return row ?? null;
};

/** What the tenant keeps; null for who is no admin of it. */
export const readUsage = async (tx: Tx, tenantId: TenantId): Promise<UsageRecord | null> => {
  const [row] = await tx.$queryRaw<UsageRecord[]>`
    select memories::float8, bytes::float8,
      (case when embeddings_on = (now() at time zone 'utc')::date then embeddings else 0 end)::float8 as "embeddingsToday"
    from usage where tenant_id = ${tenantId}::uuid`;
  return row ?? null;
};

/** The caller's own share first; to admins everyone's with what they share, the largest first, at most a hundred. */
export const usageByUser = async (tx: Tx, limit: number): Promise<KeptBy<UserId>[]> => {
  const rows = await tx.$queryRaw<KeptBy<string>[]>`
    select user_id as id, memories::float8, bytes::float8 from usage_by_user(${limit}::integer)`;
  return rows.map((row) => ({ ...row, id: asId<UserId>(row.id) }));
};

/** The caller's projects, to admins all, the largest first, at most a hundred. */
export const usageByProject = async (tx: Tx, limit: number): Promise<KeptBy<ProjectId>[]> => {
  const rows = await tx.$queryRaw<KeptBy<string>[]>`
    select project_id as id, memories::float8, bytes::float8 from usage_by_project(${limit}::integer)`;
  return rows.map((row) => ({ ...row, id: asId<ProjectId>(row.id) }));
};

/** The last `days` days, today included: one's own in full, to admins everyone's but for what concerns private memories. */
export const readUsageDays = async (tx: Tx, tenantId: TenantId, days: number): Promise<DayRecord[]> => {
  const rows = await tx.$queryRaw<(Omit<DayRecord, 'userId'> & { userId: string })[]>`
    select user_id as "userId", day::text, measure, sum(amount)::float8 as amount from usage_day
    where tenant_id = ${tenantId}::uuid and day > (now() at time zone 'utc')::date - ${days}::integer
    group by user_id, day, measure order by day desc`;
  return rows.map((row) => ({ ...row, userId: asId<UserId>(row.userId) }));
};

/** A tenant's quota and usage, for operators; without a tenant the defaults. Null: no such tenant. */
export const readTenantQuota = async (
  tx: Tx,
  tenantId: string | null,
): Promise<(QuotaRecord & { readonly used: UsageRecord | null }) | null> => {
  const [row] = await tx.$queryRaw<
    (QuotaRecord & { usedMemories: number | null; usedBytes: number; usedToday: number })[]
  >`
    select memories::float8, bytes::float8, embeddings_per_day::float8 as "embeddingsPerDay",
      user_points_per_minute::float8 as "userPointsPerMinute", tenant_points_per_minute::float8 as "tenantPointsPerMinute",
      used_memories::float8 as "usedMemories", used_bytes::float8 as "usedBytes", used_embeddings::float8 as "usedToday"
    from tenant_quota(${tenantId}::uuid)`;
  if (row === undefined) return null;
  const { usedMemories, usedBytes, usedToday, ...quota } = row;
  const used = usedMemories === null ? null : { memories: usedMemories, bytes: usedBytes, embeddingsToday: usedToday };
  return { ...quota, used };
};

/** Changes a tenant's quota as the operator of the door, audited there. */
export const changeQuota = async (
  tx: Tx,
  tenantId: string,
  changes: QuotaChanges,
): Promise<'changed' | 'unchanged' | 'missing'> => {
  const [row] = await tx.$queryRaw<{ outcome: 'changed' | 'unchanged' | 'missing' }[]>`
    select set_quota(${tenantId}::uuid, ${JSON.stringify(changes)}::jsonb) as outcome`;
  return row?.outcome ?? 'missing';
};

/** Changes the instance's defaults, which hold wherever a tenant's quota says nothing. */
export const changeDefaultQuota = async (tx: Tx, changes: QuotaChanges): Promise<void> => {
  await tx.$executeRaw`select set_default_quota(${JSON.stringify(changes)}::jsonb)`;
};
