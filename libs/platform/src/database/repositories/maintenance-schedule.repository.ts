import type { Tx } from '../context.js';

/** When a tenant wants its nights; an instance has one nightly schedule a tenant. */
export interface WantedSchedule {
  /** In the tenant's time zone. */
  readonly hour: number;
  readonly minute: number;
  readonly timeZone: string;
  readonly paused: boolean;
}

/** A tenant without a schedule row (restored from an old backup, say) has its nights at three. */
const DEFAULT_HOUR = 3;

/** What a tenant wants; null where the tenant is suspended or gone, and there shall be no schedule. */
export const wantedSchedule = async (tx: Tx, tenantId: string): Promise<WantedSchedule | null> => {
  const [row] = await tx.$queryRaw<WantedSchedule[]>`
    select coalesce(s.hour, ${DEFAULT_HOUR}::int)::int as hour, coalesce(s.minute, 0)::int as minute,
      t.time_zone as "timeZone", coalesce(s.paused, false) as paused
    from tenant t left join schedule s on s.tenant_id = t.id and s.kind = 'nightly'
    where t.id = ${tenantId}::uuid and t.status = 'active'`;
  return row ?? null;
};

/** A run that has not ended, and when it last showed a sign of life. */
export interface UnfinishedRun {
  readonly id: string;
}

/** Unfinished runs that have written nothing since an instant: their workflow may be lost with the engine's data. */
export const silentRuns = (tx: Tx, tenantId: string, since: Date): Promise<UnfinishedRun[]> =>
  tx.$queryRaw<UnfinishedRun[]>`
    select r.id from maintenance_run r
    where r.tenant_id = ${tenantId}::uuid and r.status in ('requested', 'running')
      and greatest(r.requested_at, r.started_at, (
        select max(s.finished_at) from maintenance_step s where s.tenant_id = r.tenant_id and s.run_id = r.id
      )) < ${since}::timestamptz
    order by r.requested_at limit 10`;
