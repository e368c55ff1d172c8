import type { MemoryKind, Scope, Validity } from '@tempera/core';
import type { RunRef } from '../../temporal/contract.js';
import type { Tx } from '../context.js';
import { derivedId } from '../derived-id.js';
import { inOpenPlace, ofPage, type PageOfMemories } from './page-of-memories.js';

/** What pruning reads of a memory, as it is on a run's date: no word of it. */
export interface PrunableOnDate {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly scope: Scope;
  readonly ownerId: string;
  readonly projectId: string | null;
  readonly groupId: string | null;
  readonly validity: Validity;
  readonly pinned: boolean;
  /** Not over: neither superseded, done, expired nor past its validity. */
  readonly open: boolean;
  readonly helpful: number;
  readonly unhelpful: number;
  readonly credit: number;
  readonly propagated: number;
  readonly reached: number;
  readonly helpfulVotes: number;
  readonly askedRetrievals: number;
  /** Whole days in the tenant's time zone, negative counted as 0; both since it came into use here at the earliest. */
  readonly ageDays: number;
  readonly daysSinceUseful: number;
}

/**
 * Active memories in order of id, held so that none of them changes before the page is done. What was imported tells of
 * years ago, and what a person restored was idle before: each has its time from the day it came into use (`state_since`).
 */
export const pageOfPrunable = (
  tx: Tx,
  { tenantId, runDate }: RunRef,
  page: PageOfMemories,
): Promise<PrunableOnDate[]> =>
  tx.$queryRaw<PrunableOnDate[]>`
    select m.id, m.kind, m.scope, m.owner_id as "ownerId", m.project_id as "projectId", m.group_id as "groupId", m.validity,
      m.pinned, s.helpful, s.unhelpful, s.credit, s.propagated, s.reached, s.helpful_voters as "helpfulVotes",
      s.asked_retrievals as "askedRetrievals",
      (m.superseded_by is null and m.outcome is distinct from 'success'
        and (m.expires_at is null or (m.expires_at at time zone t.time_zone)::date > ${runDate}::date)
        and (m.valid_to is null or (m.valid_to at time zone t.time_zone)::date > ${runDate}::date)) as open,
      greatest(0, ${runDate}::date - (greatest(m.ended_at, m.state_since) at time zone t.time_zone)::date) as "ageDays",
      greatest(0, ${runDate}::date - (greatest(s.last_useful_at, m.state_since) at time zone t.time_zone)::date) as "daysSinceUseful"
    from memory m
      join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
      join tenant t on t.id = m.tenant_id
    where m.tenant_id = ${tenantId}::uuid and m.state = 'active' and ${inOpenPlace} and ${ofPage(page)}
    order by m.id limit ${page.limit}::int for no key update of m`;

/** Whose memories a night's undoing brings back: what a project or group shares, what everybody sees, a person's own. */
export interface UndoPlace {
  readonly projectId: string | null;
  readonly groupId: string | null;
  /** The owner of what is private. */
  readonly ownerId: string | null;
}

export const placeOf = ({
  scope,
  ownerId,
  projectId,
  groupId,
}: Omit<UndoPlace, 'ownerId'> & {
  readonly scope: Scope;
  readonly ownerId: string;
}): UndoPlace => ({
  projectId: scope === 'project' ? projectId : null,
  groupId: scope === 'group' ? groupId : null,
  ownerId: scope === 'private' ? ownerId : null,
});

/** The run by which people take back what a night did in one place: one a night, kind and place. */
export const undoRunOf = async (
  tx: Tx,
  { tenantId, runId }: RunRef,
  kind: 'cleanup' | 'consolidate',
  { projectId, groupId, ownerId }: UndoPlace,
): Promise<string> => {
  const id = derivedId(runId, kind, projectId, groupId, ownerId);
  await tx.$executeRaw`
    insert into upkeep_run (tenant_id, id, kind, project_id, group_id, made_by, maintenance_run_id)
    values (${tenantId}::uuid, ${id}::uuid, ${kind}, ${projectId}::uuid, ${groupId}::uuid, ${ownerId}::uuid, ${runId}::uuid)
    on conflict do nothing`;
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select id from upkeep_run where tenant_id = ${tenantId}::uuid and maintenance_run_id = ${runId}::uuid and kind = ${kind}
      and project_id is not distinct from ${projectId}::uuid and group_id is not distinct from ${groupId}::uuid
      and made_by is not distinct from ${ownerId}::uuid`;
  if (row === undefined) throw new Error('A run that was stored has an id.');
  return row.id;
};
