import type { GroupId, MemoryKind, ProjectId, Scope, TenantId, UserId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import { MEMORY_COLUMNS, MEMORY_SOURCE } from './memory-read.js';
import { type MemoryRecord, type MemoryRow, type MemoryState, toMemoryRecord } from './memory-record.js';
import { knownAt, touchesFile } from './retrieval-searched.js';

/** Which of the visible memories a list shows. Absent parts do not narrow. */
export interface MemoryListFilter {
  readonly projectId?: ProjectId;
  readonly groupId?: GroupId;
  readonly scope?: Scope;
  readonly kinds?: readonly MemoryKind[];
  /** Any of them. */
  readonly tags?: readonly string[];
  readonly files?: readonly string[];
  /** Only those of this person. */
  readonly ownerId?: UserId;
  readonly pinned?: boolean;
  readonly since?: Date;
  readonly until?: Date;
  readonly state: MemoryState;
  /** What has expired by then is left out. */
  readonly unexpiredAt?: Date;
  /** What was known and valid then, as far as the caller may read what it said then; instead of the state. */
  readonly asOf?: Date;
  /** Whether a newer one took its place. */
  readonly superseded?: boolean;
}

/** Where a page begins: after this row of the list (creation as the database writes it, then id). */
export interface MemoryListPosition {
  readonly createdAtText: string;
  readonly id: string;
}

/** Visible memories, newest first, at most `take`. */
export async function listMemories(
  tx: Tx,
  tenantId: TenantId,
  filter: MemoryListFilter,
  { after, take }: { readonly after: MemoryListPosition | null; readonly take: number },
): Promise<MemoryRecord[]> {
  const begin =
    after === null
      ? Prisma.empty
      : Prisma.sql`and (m.created_at, m.id) < (${after.createdAtText}::timestamptz, ${after.id}::uuid)`;
  const rows = await tx.$queryRaw<MemoryRow[]>`
    select ${MEMORY_COLUMNS} from ${MEMORY_SOURCE}
    where m.tenant_id = ${tenantId}::uuid ${conditions(filter)} ${begin}
    order by m.created_at desc, m.id desc limit ${take}`;
  return rows.map(toMemoryRecord);
}

/** How many memories a list has for this caller: what others keep to themselves is not counted. */
export async function countMemories(tx: Tx, tenantId: TenantId, filter: MemoryListFilter): Promise<number> {
  const rows = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from memory m where m.tenant_id = ${tenantId}::uuid ${conditions(filter)}`;
  return rows[0]?.count ?? 0;
}

function conditions(filter: MemoryListFilter): Prisma.Sql {
  const { projectId, groupId, scope, kinds, tags, files, ownerId, pinned, since, until } = filter;
  const { state, unexpiredAt, superseded } = filter;
  const parts = [
    filter.asOf === undefined ? Prisma.sql`and m.state = ${state}` : saidAt(filter.asOf),
    ...(superseded === undefined ? [] : [Prisma.sql`and (m.superseded_by is not null) = ${superseded}`]),
    ...(projectId === undefined ? [] : [Prisma.sql`and m.project_id = ${projectId}::uuid`]),
    ...(groupId === undefined ? [] : [Prisma.sql`and m.group_id = ${groupId}::uuid`]),
    ...(scope === undefined ? [] : [Prisma.sql`and m.scope = ${scope}`]),
    ...(kinds === undefined ? [] : [Prisma.sql`and m.kind = any (${[...kinds]}::text[])`]),
    ...(tags === undefined ? [] : [Prisma.sql`and m.tags && ${[...tags]}::text[]`]),
    ...(files === undefined ? [] : [Prisma.sql`and ${touchesFile(files)}`]),
    ...(ownerId === undefined ? [] : [Prisma.sql`and m.owner_id = ${ownerId}::uuid`]),
    ...(pinned === undefined ? [] : [Prisma.sql`and m.pinned = ${pinned}`]),
    ...(since === undefined ? [] : [Prisma.sql`and m.ended_at >= ${since}`]),
    ...(until === undefined ? [] : [Prisma.sql`and m.ended_at < ${until}`]),
    ...(unexpiredAt === undefined ? [] : [Prisma.sql`and (m.expires_at is null or m.expires_at > ${unexpiredAt})`]),
  ];
  return Prisma.join(parts, ' ');
}

function saidAt(asOf: Date): Prisma.Sql {
  return Prisma.sql`and ${knownAt(asOf)} and (m.text_since <= ${asOf} or exists (select from revision r
    where r.tenant_id = m.tenant_id and r.memory_id = m.id and r.since <= ${asOf} and r.created_at > ${asOf}))`;
}
