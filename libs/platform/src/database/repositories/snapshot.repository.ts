import type { Validity } from '@tempera/core';
import type { RunRef } from '../../temporal/contract.js';
import type { Tx } from '../context.js';
import { ofPage, type PageOfMemories } from './page-of-memories.js';

/** What the votes, credits and dates of an active memory are on a run's date. */
export interface StandingOnDate {
  readonly id: string;
  readonly validity: Validity;
  readonly pinned: boolean;
  readonly helpful: number;
  readonly unhelpful: number;
  readonly credit: number;
  readonly propagated: number;
  readonly reached: number;
  /** `YYYY-MM-DD` of the run that last set `propagated`. */
  readonly propagatedOn: string | null;
  readonly helpfulVotes: number;
  readonly askedRetrievals: number;
  /** Whole days in the tenant's time zone, negative counted as 0. */
  readonly daysSinceUseful: number;
}

/** One memory as the later steps of a run see it. */
export interface SnapshotRow {
  readonly id: string;
  readonly evidence: number;
  readonly base: number;
  readonly earned: number;
  readonly propagatedBefore: number;
  readonly propagatedOnBefore: string | null;
  readonly helpfulOthers: number;
  readonly askedRetrievals: number;
}

/**
 * Active memories in order of id. Ages are days between two dates, not instants, so that a run for a date gives the same
 * result at whatever hour it is done. Helpful votes that make a source are those of others; of a private memory its owner's.
 */
export const pageOfStandings = (
  tx: Tx,
  { tenantId, runDate }: RunRef,
  page: PageOfMemories,
): Promise<StandingOnDate[]> =>
  tx.$queryRaw<StandingOnDate[]>`
    select m.id, m.validity, m.pinned, s.helpful, s.unhelpful, s.credit, s.propagated, s.reached,
      s.propagated_on::text as "propagatedOn", s.asked_retrievals as "askedRetrievals",
      case when m.scope = 'private' then s.helpful_voters else s.helpful_others end as "helpfulVotes",
      greatest(0, ${runDate}::date - (s.last_useful_at at time zone t.time_zone)::date) as "daysSinceUseful"
    from memory m
      join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
      join tenant t on t.id = m.tenant_id
    where m.tenant_id = ${tenantId}::uuid and m.state = 'active' and ${ofPage(page)}
    order by m.id limit ${page.limit}::int`;

/** Writes a page of the snapshot; of earlier runs that have ended, the same memories' rows go. */
export const writeSnapshot = async (
  tx: Tx,
  { tenantId, runId }: RunRef,
  rows: readonly SnapshotRow[],
): Promise<void> => {
  const ids = rows.map(({ id }) => id);
  await tx.$executeRaw`
    delete from snapshot p using maintenance_run r
    where r.tenant_id = ${tenantId}::uuid and r.id <> ${runId}::uuid and r.status in ('completed', 'failed', 'cancelled')
      and p.tenant_id = r.tenant_id and p.run_id = r.id and p.memory_id = any (${ids}::uuid[])`;
  await tx.$executeRaw`
    insert into snapshot (tenant_id, run_id, memory_id, evidence, base, earned, propagated_before, propagated_on_before,
      helpful_others, asked_retrievals)
    select ${tenantId}::uuid, ${runId}::uuid, r.id, r.evidence, r.base, r.earned, r."propagatedBefore",
      r."propagatedOnBefore", r."helpfulOthers", r."askedRetrievals"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, evidence float8, base float8, earned float8,
      "propagatedBefore" float8, "propagatedOnBefore" date, "helpfulOthers" int, "askedRetrievals" int)`;
};
