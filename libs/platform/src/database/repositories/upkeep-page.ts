import {
  asId,
  type MemoryId,
  type MemoryKind,
  type ProjectId,
  type TenantId,
  type UserId,
  type Validity,
} from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { MemoryStanding } from '../../search/search-candidate.js';
import type { Tx } from '../context.js';
import { conflictsOfProject, openConflicts } from './conflict.repository.js';
import { type StandingRow, toStanding } from './memory-standing-row.js';

/** Whose memories are looked after: what a project shares, or what a person keeps in private, in whatever project. */
export interface UpkeepScope {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  /** Null: the private memories. */
  readonly projectId: ProjectId | null;
}

/** What review and pruning read of a memory: no word of it. */
export interface UpkeepRow extends MemoryStanding {
  readonly id: MemoryId;
  readonly kind: MemoryKind;
  readonly validity: Validity;
  readonly pinned: boolean;
  /** Not over: neither expired, superseded, done nor past its validity. */
  readonly open: boolean;
  /** When it ended, or came into use here (captured, imported, restored) where that was later. */
  readonly inUseSince: Date;
  /** When it was last useful, or came into use here where that was later. */
  readonly unusedSince: Date;
}

interface RawRow extends StandingRow {
  id: string;
  kind: string;
  validity: string;
  pinned: boolean;
  open: boolean;
  in_use_since: Date;
  unused_since: Date;
}

/** The memories (m) of a scope. */
export function ofUpkeepScope({ tenantId, userId, projectId }: UpkeepScope): Prisma.Sql {
  return projectId === null
    ? Prisma.sql`m.tenant_id = ${tenantId}::uuid and m.scope = 'private' and m.owner_id = ${userId}::uuid`
    : Prisma.sql`m.tenant_id = ${tenantId}::uuid and m.scope = 'project' and m.project_id = ${projectId}::uuid`;
}

/** Active memories of a scope in order of id, at most `limit` after `after`; or only these `ids`. */
export async function pageOfUpkeep(
  tx: Tx,
  scope: UpkeepScope,
  { after, limit, now, ids }: { after: MemoryId | null; limit: number; now: Date; ids?: readonly MemoryId[] },
): Promise<UpkeepRow[]> {
  const only = ids === undefined ? Prisma.empty : Prisma.sql`and m.id = any (${[...ids]}::uuid[])`;
  const rows = await tx.$queryRaw<RawRow[]>`
    select m.id, m.kind, m.validity, m.pinned, s.helpful, s.unhelpful, s.helpful_voters, s.helpful_others,
      s.asked_retrievals, s.credit, s.propagated, s.reached, s.last_useful_at,
      greatest(m.ended_at, m.state_since) as in_use_since, greatest(s.last_useful_at, m.state_since) as unused_since,
      (m.superseded_by is null and m.outcome is distinct from 'success'
        and (m.expires_at is null or m.expires_at > ${now}) and (m.valid_to is null or m.valid_to > ${now})) as open
    from memory m join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
    where ${ofUpkeepScope(scope)} and m.state = 'active' ${only}
      and (${after}::uuid is null or m.id > ${after}::uuid)
    order by m.id limit ${limit}`;
  return rows.map((row) => ({
    ...toStanding(row),
    id: asId<MemoryId>(row.id),
    kind: row.kind as MemoryKind,
    validity: row.validity as Validity,
    pinned: row.pinned,
    open: row.open,
    inUseSince: row.in_use_since,
    unusedSince: row.unused_since,
  }));
}

/** How many active memories a scope has, and how many conflicts with a side among what it is about wait for a person. */
export async function countUpkeep(
  tx: Tx,
  scope: UpkeepScope,
  now: Date,
): Promise<{ memories: number; conflicts: number }> {
  const { tenantId, userId, projectId } = scope;
  const own = Prisma.sql`and ((a.scope = 'private' and a.owner_id = ${userId}::uuid)
    or (b.scope = 'private' and b.owner_id = ${userId}::uuid))`;
  const open = projectId === null ? openConflicts(tenantId, now, own) : conflictsOfProject(tenantId, now, projectId);
  const [row] = await tx.$queryRaw<{ memories: number; conflicts: number }[]>`
    select (select count(*)::int from memory m where ${ofUpkeepScope(scope)} and m.state = 'active') as memories,
      (select count(*)::int from ${open}) as conflicts`;
  return row ?? { memories: 0, conflicts: 0 };
}
