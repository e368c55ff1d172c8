import { asId, type MemoryId, type ProjectId, type PruneReason, type TenantId, type UserId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';

export const UPKEEP_KINDS = ['consolidate', 'cleanup', 'merge'] as const;
export type UpkeepKind = (typeof UPKEEP_KINDS)[number];

/** What somebody merged or pruned at once. */
export interface UpkeepRun {
  readonly id: string;
  readonly kind: UpkeepKind;
  /** Null: what its maker keeps in private. */
  readonly projectId: ProjectId | null;
  readonly madeBy: UserId | null;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
}

export interface NewUpkeepRun {
  readonly tenantId: TenantId;
  readonly kind: UpkeepKind;
  readonly projectId: ProjectId | null;
  readonly madeBy: UserId;
}

export async function insertUpkeepRun(tx: Tx, { tenantId, kind, projectId, madeBy }: NewUpkeepRun): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    insert into upkeep_run (tenant_id, kind, project_id, made_by)
    values (${tenantId}::uuid, ${kind}, ${projectId}::uuid, ${madeBy}::uuid) returning id`;
  if (row === undefined) throw new Error('A run that was stored has an id.');
  return row.id;
}

/** The run with this id or these first eight characters; null where the caller sees none, or several. */
export async function findUpkeepRun(tx: Tx, tenantId: TenantId, id: string): Promise<UpkeepRun | null> {
  const isWhole = id.length > 8;
  const rows = await tx.$queryRaw<UpkeepRun[]>`
    select id, kind, project_id as "projectId", made_by as "madeBy", created_at as "createdAt", undone_at as "undoneAt"
    from upkeep_run where tenant_id = ${tenantId}::uuid
      and ${isWhole ? Prisma.sql`id = ${id}::uuid` : Prisma.sql`left(id::text, 8) = ${id}`} limit 2`;
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

/** What was pruned, and why. */
export interface PrunedMemory {
  readonly id: MemoryId;
  readonly reasons: readonly PruneReason[];
}

/** Archives memories that nobody needs and records it. @returns those that were still active */
export async function pruneMemories(
  tx: Tx,
  tenantId: TenantId,
  runId: string,
  pruned: readonly PrunedMemory[],
  now: Date,
): Promise<MemoryId[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    with given as (
      select x.id, x.reasons from jsonb_to_recordset(${JSON.stringify(pruned)}::jsonb) as x (id uuid, reasons text[])
    ), gone as (
      update memory m set state = 'archived', state_reason = 'pruned: ' || array_to_string(g.reasons, ', '),
        updated_at = ${now}
      from given g where m.tenant_id = ${tenantId}::uuid and m.id = g.id and m.state = 'active' returning m.id
    ), noted as (
      insert into upkeep_effect (tenant_id, run_id, memory_id, action, reasons)
      select ${tenantId}::uuid, ${runId}::uuid, g.id, 'pruned', g.reasons from given g join gone using (id)
    )
    select id from gone order by id`;
  return rows.map(({ id }) => asId<MemoryId>(id));
}

/**
 * Locks memories until the transaction ends, in order of id: of those that the caller may change, whether the caller answers
 * for who sees them.
 */
export async function lockMemories(
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
): Promise<Map<MemoryId, boolean>> {
  const rows = await tx.$queryRaw<{ id: string; maintains: boolean }[]>`
    select m.id, maintains_memory(m) as maintains from memory m
    where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[]) order by m.id for no key update`;
  return new Map(rows.map(({ id, maintains }) => [asId<MemoryId>(id), maintains]));
}

/** The run that merged a memory last; null without one that the caller sees. */
export async function findMergeRun(tx: Tx, tenantId: TenantId, ids: readonly MemoryId[]): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ runId: string }[]>`
    select e.run_id as "runId" from upkeep_effect e
      join memory m on m.tenant_id = e.tenant_id and m.id = e.memory_id and m.merged_into = e.into_id
    where e.tenant_id = ${tenantId}::uuid and e.memory_id = any (${[...ids]}::uuid[]) and e.action = 'merged'
    order by e.created_at desc, e.run_id limit 1`;
  return row?.runId ?? null;
}

/** What a run did to a memory. */
export interface UpkeepEffect {
  readonly memoryId: MemoryId;
  readonly action: 'merged' | 'joined' | 'pruned';
  readonly intoId: MemoryId | null;
  /** It was made for the merge. */
  readonly isNew: boolean;
}

/** The effects of a run on memories that the caller sees, by memory. */
export const readUpkeepEffects = (tx: Tx, tenantId: TenantId, runId: string): Promise<UpkeepEffect[]> =>
  tx.$queryRaw<UpkeepEffect[]>`
    select memory_id as "memoryId", action, into_id as "intoId", coalesce((before ->> 'isNew')::boolean, false) as "isNew"
    from upkeep_effect
    where tenant_id = ${tenantId}::uuid and run_id = ${runId}::uuid order by memory_id`;

/**
 * Takes a run back: brings back what it archived and what is as it left it. Texts, notes, votes and scores of the survivors
 * follow by trigger, vectors by the outbox.
 * @returns what came back
 */
export async function undoUpkeepRun(
  tx: Tx,
  tenantId: TenantId,
  run: Pick<UpkeepRun, 'id'>,
  by: UserId,
  now: Date,
): Promise<MemoryId[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    update memory m set state = 'active', state_reason = null, merged_into = null, updated_at = ${now}
    from upkeep_effect e
    where e.tenant_id = ${tenantId}::uuid and e.run_id = ${run.id}::uuid and m.tenant_id = e.tenant_id
      and m.id = e.memory_id and m.state = 'archived'
      and case e.action when 'merged' then m.merged_into = e.into_id
        when 'pruned' then m.merged_into is null and m.state_since = e.created_at else false end
    returning m.id`;
  await tx.$executeRaw`
    update upkeep_run set undone_at = now(), undone_by = ${by}::uuid
    where tenant_id = ${tenantId}::uuid and id = ${run.id}::uuid`;
  return rows.map(({ id }) => asId<MemoryId>(id)).sort();
}
