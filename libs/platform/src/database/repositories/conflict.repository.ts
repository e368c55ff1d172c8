import { asId, type MemoryId, type ProjectId, type TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';

/** What a person decided of two memories that contradict each other. */
export const RESOLUTIONS = ['keep_both', 'keep_from', 'keep_to', 'merged'] as const;
export type ConflictChoice = (typeof RESOLUTIONS)[number];

/** Two memories that contradict each other. */
export interface ConflictLink {
  /** The one that came later, and the one that was there. */
  readonly from: MemoryId;
  readonly to: MemoryId;
  readonly similarity: number;
  readonly foundAt: Date;
  /** As the database writes it, with its microseconds: where a page may go on. */
  readonly foundAtText: string;
  /** Null: it is open. */
  readonly resolution: ConflictChoice | null;
  readonly reason: string | null;
}

interface ConflictRow {
  from_id: string;
  to_id: string;
  weight: number;
  created_at: Date;
  found_at_text: string;
  resolution: string | null;
  reason: string | null;
}

const COLUMNS = Prisma.sql`l.from_id, l.to_id, l.weight, l.created_at, l.created_at::text as found_at_text, l.resolution, l.reason`;

const toConflict = (row: ConflictRow): ConflictLink => ({
  from: asId(row.from_id),
  to: asId(row.to_id),
  similarity: row.weight,
  foundAt: row.created_at,
  foundAtText: row.found_at_text,
  resolution: row.resolution as ConflictChoice | null,
  reason: row.reason,
});

export interface ConflictPosition {
  readonly foundAtText: string;
  readonly from: string;
  readonly to: string;
}

/**
 * What waits for a person, each pair once: open conflicts (l) of which the caller sees both sides (a and b) and both still
 * stand. Lists and counts of conflicts all read these. @param within narrows the sides
 */
export function openConflicts(tenantId: TenantId, now: Date, within: Prisma.Sql): Prisma.Sql {
  const stands = (side: Prisma.Sql): Prisma.Sql => Prisma.sql`${side}.tenant_id = ${tenantId}::uuid
    and ${side}.state = 'active' and ${side}.superseded_by is null and (${side}.expires_at is null or ${side}.expires_at > ${now})`;
  const [a, b] = [Prisma.sql`a`, Prisma.sql`b`];
  return Prisma.sql`link l
      join memory a on a.id = l.from_id and ${stands(a)} join memory b on b.id = l.to_id and ${stands(b)}
    where l.tenant_id = ${tenantId}::uuid and l.kind = 'conflict' and l.resolution is null ${within}
      and not exists (select from link r where r.tenant_id = l.tenant_id and r.from_id = l.to_id and r.to_id = l.from_id
        and r.kind = 'conflict' and (r.resolution is not null or r.from_id < l.from_id))`;
}

/** {@link openConflicts} with a side in a project; null: wherever they are. */
export function conflictsOfProject(tenantId: TenantId, now: Date, projectId: ProjectId | null): Prisma.Sql {
  const within = projectId === null ? Prisma.empty : Prisma.sql`and ${projectId}::uuid in (a.project_id, b.project_id)`;
  return openConflicts(tenantId, now, within);
}

/** Open conflicts of which the caller sees both sides and both still stand, newest first, each pair once. */
export async function listConflicts(
  tx: Tx,
  tenantId: TenantId,
  projectId: ProjectId | null,
  { after, take, now }: { readonly after: ConflictPosition | null; readonly take: number; readonly now: Date },
): Promise<ConflictLink[]> {
  const begin =
    after === null
      ? Prisma.empty
      : Prisma.sql`and (l.created_at, l.from_id, l.to_id) < (${after.foundAtText}::timestamptz, ${after.from}::uuid, ${after.to}::uuid)`;
  const rows = await tx.$queryRaw<ConflictRow[]>`
    select ${COLUMNS} from ${conflictsOfProject(tenantId, now, projectId)} ${begin}
    order by l.created_at desc, l.from_id desc, l.to_id desc limit ${take}`;
  return rows.map(toConflict);
}

/** The conflict of two memories, open or resolved; null where there is none that the caller sees. */
export async function findConflict(
  tx: Tx,
  tenantId: TenantId,
  one: MemoryId,
  other: MemoryId,
): Promise<ConflictLink | null> {
  const rows = await tx.$queryRaw<ConflictRow[]>`
    select ${COLUMNS} from link l
    where l.tenant_id = ${tenantId}::uuid and l.kind = 'conflict' and l.from_id in (${one}::uuid, ${other}::uuid)
      and l.to_id in (${one}::uuid, ${other}::uuid)
    order by l.resolution is null, l.created_at limit 1`;
  return rows[0] === undefined ? null : toConflict(rows[0]);
}

/** Locks both memories in one order for everybody; those of them whose audience the caller answers for. */
export async function lockMaintained(tx: Tx, tenantId: TenantId, ids: readonly MemoryId[]): Promise<Set<MemoryId>> {
  const rows = await tx.$queryRaw<{ id: string; maintains: boolean }[]>`
    select m.id, maintains_memory(m) as maintains from memory m
    where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[]) order by m.id for no key update`;
  return new Set(rows.filter(({ maintains }) => maintains).map(({ id }) => asId<MemoryId>(id)));
}

/** Writes down what became of a conflict, or opens it again; who and when follow by a trigger. */
export async function setResolution(
  tx: Tx,
  tenantId: TenantId,
  { from, to }: Pick<ConflictLink, 'from' | 'to'>,
  resolution: ConflictChoice | null,
  reason: string | null,
): Promise<void> {
  await tx.$executeRaw`update link set resolution = ${resolution}, reason = ${reason}
    where tenant_id = ${tenantId}::uuid and kind = 'conflict' and from_id = ${from}::uuid and to_id = ${to}::uuid`;
}
