import type { Health, ProjectId, Scope, TenantId, TrendBucket, Validity } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { RunRef } from '../../temporal/contract.js';
import type { Tx } from '../context.js';
import { derivedId } from '../derived-id.js';
import { TREND_LABELS } from './memory-trends.js';

/** Whose memories are counted together: those that the same people see, filed under the same project. */
export interface HealthPlace {
  readonly scope: Scope;
  /** Of what is private. */
  readonly ownerId: string | null;
  readonly projectId: string | null;
  readonly groupId: string | null;
}

/** Active memories of a place that stand alike on a date, as far as they tell how they do: no word of them. */
export interface HealthGroup extends HealthPlace {
  readonly validity: Validity;
  readonly pinned: boolean;
  readonly helpful: number;
  readonly unhelpful: number;
  readonly credit: number;
  readonly propagated: number;
  readonly reached: number;
  /** Whole days in the tenant's time zone, negative counted as 0. */
  readonly daysSinceUseful: number;
  /** The same, since they came into use here at the earliest. */
  readonly daysUnused: number;
  readonly count: number;
  readonly neverRetrieved: number;
}

/** Projects in which something is in use, in order of id; archived ones are left as they were noted last. */
export const pageOfMeasured = async (
  tx: Tx,
  tenantId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<string[]> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select p.id from project p
    where p.tenant_id = ${tenantId}::uuid and p.archived_at is null and (${after}::uuid is null or p.id > ${after}::uuid)
      and exists (select from memory m where m.tenant_id = p.tenant_id and m.project_id = p.id and m.state = 'active')
    order by p.id limit ${limit}::int`;
  return rows.map(({ id }) => id);
};

/** How the memories that are filed under a project stand on a run's date; null: under none. */
export const groupHealth = (
  tx: Tx,
  { tenantId, runDate }: RunRef,
  projectId: string | null,
): Promise<HealthGroup[]> => tx.$queryRaw<HealthGroup[]>`
  select m.scope, case when m.scope = 'private' then m.owner_id end as "ownerId", m.project_id as "projectId",
    case when m.scope = 'group' then m.group_id end as "groupId", m.validity, m.pinned, s.helpful, s.unhelpful, s.credit,
    s.propagated, s.reached,
    greatest(0, ${runDate}::date - (s.last_useful_at at time zone t.time_zone)::date) as "daysSinceUseful",
    greatest(0, ${runDate}::date - (greatest(s.last_useful_at, m.state_since) at time zone t.time_zone)::date) as "daysUnused",
    count(*)::int as count, (count(*) filter (where s.asked_retrievals = 0))::int as "neverRetrieved"
  from memory m
    join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
    join tenant t on t.id = m.tenant_id
  where m.tenant_id = ${tenantId}::uuid and m.state = 'active' and m.project_id is not distinct from ${projectId}::uuid
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13`;

/** Notes how places did on a run's date; noted again, the later note stands. */
export const writeHealth = async (
  tx: Tx,
  { tenantId, runDate }: RunRef,
  notes: readonly (HealthPlace & Health)[],
): Promise<void> => {
  const rows = notes.map((note) => ({
    ...note,
    id: derivedId('health', runDate, note.scope, note.ownerId, note.projectId, note.groupId),
  }));
  await tx.$executeRaw`
    insert into health_day (tenant_id, id, day, scope, owner_id, project_id, group_id, memories, never_retrieved,
      high_value, stale, utility)
    select ${tenantId}::uuid, r.id, ${runDate}::date, r.scope, r."ownerId", r."projectId", r."groupId", r.memories,
      r."neverRetrieved", r."highValue", r.stale, r.utility
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, scope text, "ownerId" uuid, "projectId" uuid,
      "groupId" uuid, memories int, "neverRetrieved" int, "highValue" int, stale int, utility float8)
    on conflict (tenant_id, id) do update set memories = excluded.memories, never_retrieved = excluded.never_retrieved,
      high_value = excluded.high_value, stale = excluded.stale, utility = excluded.utility`;
};

/** How the places that the caller sees did, added up: each as it was noted last in the bucket. */
export const healthByBucket = (
  tx: Tx,
  span: {
    readonly tenantId: TenantId;
    readonly projectId: ProjectId | null;
    readonly bucket: TrendBucket;
    readonly from: Date;
    readonly until: Date;
  },
): Promise<(Health & { readonly label: string })[]> => tx.$queryRaw<(Health & { label: string })[]>`
  select x.label, sum(x.memories)::int as memories, sum(x.never_retrieved)::int as "neverRetrieved",
    sum(x.high_value)::int as "highValue", sum(x.stale)::int as stale, sum(x.utility) as utility
  from (
    select distinct on (1, h.scope, h.owner_id, h.project_id, h.group_id)
      to_char(h.day, ${TREND_LABELS[span.bucket]}) as label, h.memories, h.never_retrieved, h.high_value, h.stale, h.utility
    from health_day h
    where h.tenant_id = ${span.tenantId}::uuid and h.day >= ${dayOf(span.from)}::date and h.day < ${dayOf(span.until)}::date
      ${span.projectId === null ? Prisma.empty : Prisma.sql`and h.project_id = ${span.projectId}::uuid`}
    order by 1, h.scope, h.owner_id, h.project_id, h.group_id, h.day desc
  ) x group by x.label`;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
