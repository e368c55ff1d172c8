import type { ProjectId, TenantId, UserId, Validity } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { MemoryStanding } from '../../search/search-candidate.js';
import type { Tx } from '../context.js';
import { conflictsOfProject } from './conflict.repository.js';
import { type StandingRow, toStanding } from './memory-standing-row.js';

/** Counts over what the caller may see. */
export interface MemoryCounts {
  readonly memories: number;
  readonly own: number;
  readonly shared: number;
  readonly awaitingEmbedding: number;
  /** Set aside: no encoder could read them. */
  readonly failedEmbedding: number;
  readonly lastCaptureAt: Date | null;
  /** Never shown in an answer to a question. */
  readonly neverRetrieved: number;
}

interface CountsRow {
  memories: number;
  own: number;
  shared: number;
  awaiting_embedding: number;
  failed_embedding: number;
  last_capture_at: Date | null;
  never_retrieved: number;
}

/** Counts of active memories, of a project or of everything visible. */
export async function countStatus(
  tx: Tx,
  tenantId: TenantId,
  userId: UserId,
  projectId: ProjectId | null,
): Promise<MemoryCounts> {
  const rows = await tx.$queryRaw<CountsRow[]>`
    select count(*)::int as memories, count(*) filter (where m.owner_id = ${userId}::uuid)::int as own,
      count(*) filter (where m.scope <> 'private')::int as shared,
      count(*) filter (where m.embedding_state = 'pending')::int as awaiting_embedding,
      count(*) filter (where m.embedding_state = 'failed')::int as failed_embedding,
      max(m.created_at) as last_capture_at, count(*) filter (where s.asked_retrievals = 0)::int as never_retrieved
    from memory m join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
    where m.tenant_id = ${tenantId}::uuid and m.state = 'active' ${ofProject(projectId)}`;
  const row = rows[0];
  return {
    memories: row?.memories ?? 0,
    own: row?.own ?? 0,
    shared: row?.shared ?? 0,
    awaitingEmbedding: row?.awaiting_embedding ?? 0,
    failedEmbedding: row?.failed_embedding ?? 0,
    lastCaptureAt: row?.last_capture_at ?? null,
    neverRetrieved: row?.never_retrieved ?? 0,
  };
}

function ofProject(projectId: ProjectId | null): Prisma.Sql {
  return projectId === null ? Prisma.empty : Prisma.sql`and m.project_id = ${projectId}::uuid`;
}

/** Memories that stand alike, so that a large tenant's utilities are worked out in few steps. */
export interface StandingGroup extends MemoryStanding {
  readonly validity: Validity;
  readonly pinned: boolean;
  /** The day it was last useful, or came into use here where that was later. */
  readonly unusedSince: Date;
  readonly count: number;
  /** People who found one of them unhelpful, each counted once a memory. */
  readonly unhelpfulVoters: number;
}

/** How the active memories have proved themselves, counted by equal standing (of one day). */
export async function groupByStanding(
  tx: Tx,
  tenantId: TenantId,
  projectId: ProjectId | null,
): Promise<StandingGroup[]> {
  const rows = await tx.$queryRaw<
    (StandingRow & { validity: string; pinned: boolean; unused_since: Date; count: number; unhelpful_voters: number })[]
  >`
    select m.validity, m.pinned, s.helpful, s.unhelpful, s.helpful_voters, s.helpful_others, s.asked_retrievals, s.credit,
      s.propagated, s.reached, date_trunc('day', s.last_useful_at, 'UTC') as last_useful_at,
      date_trunc('day', greatest(s.last_useful_at, m.state_since), 'UTC') as unused_since, count(*)::int as count,
      sum(s.unhelpful_voters)::int as unhelpful_voters
    from memory m join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
    where m.tenant_id = ${tenantId}::uuid and m.state = 'active' ${ofProject(projectId)}
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`;
  return rows.map((row) => ({
    ...toStanding(row),
    validity: row.validity as Validity,
    pinned: row.pinned,
    unusedSince: row.unused_since,
    count: row.count,
    unhelpfulVoters: row.unhelpful_voters,
  }));
}

/** What waits for people. */
export interface PendingCounts {
  /** Pairs of memories that contradict each other, undecided, both standing and both seen by the caller. */
  readonly conflicts: number;
  /** Proposals that the caller made or decides. */
  readonly proposals: number;
}

/** What waits, in a project or everywhere. */
export async function countPending(
  tx: Tx,
  tenantId: TenantId,
  projectId: ProjectId | null,
  now: Date,
): Promise<PendingCounts> {
  const [row] = await tx.$queryRaw<PendingCounts[]>`
    select (
      select count(*)::int from ${conflictsOfProject(tenantId, now, projectId)}
    ) as conflicts, (
      select count(*)::int from proposal p where p.tenant_id = ${tenantId}::uuid and p.state = 'pending'
        and (${projectId}::uuid is null or p.to_project_id = ${projectId}::uuid)
    ) as proposals`;
  return row ?? { conflicts: 0, proposals: 0 };
}
