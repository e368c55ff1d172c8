import type { MemoryId, TenantId } from '@tempera/core';
import type { Tx } from '../context.js';
import type { MemoryState, Verification } from './memory-record.js';

/** A memory that is locked for a change, as the caller stands to it. */
export interface LockedMemory {
  /** Answers for its audience: may pin it. */
  readonly maintains: boolean;
}

/**
 * Locks a memory that the caller may change until the transaction ends; what is read of it afterwards stays so. Null where
 * the caller may at most see it.
 */
export async function lockMemory(tx: Tx, tenantId: TenantId, id: MemoryId): Promise<LockedMemory | null> {
  const rows = await tx.$queryRaw<{ maintains: boolean }[]>`
    select maintains_memory(m) as maintains from memory m
    where m.tenant_id = ${tenantId}::uuid and m.id = ${id}::uuid for no key update`;
  return rows[0] ?? null;
}

/** Where it is, and when. */
interface Change {
  readonly tenantId: TenantId;
  readonly id: MemoryId;
  readonly now: Date;
}

export async function setPinned(tx: Tx, { tenantId, id, now }: Change, pinned: boolean): Promise<void> {
  await tx.$executeRaw`update memory set pinned = ${pinned}, updated_at = ${now}
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
}

export async function setVerification(
  tx: Tx,
  { tenantId, id, now }: Change,
  verification: Verification,
): Promise<void> {
  await tx.$executeRaw`update memory set verification = ${verification}, updated_at = ${now}
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
}

/**
 * Since when and by whom follows by a trigger; so do the vectors of what is forgotten, which go. What is active again is
 * part of nothing else.
 */
export async function setState(
  tx: Tx,
  { tenantId, id, now }: Change,
  state: MemoryState,
  reason: string | null,
): Promise<void> {
  await tx.$executeRaw`update memory set state = ${state}, state_reason = ${reason},
      merged_into = case when ${state} = 'active' then null else merged_into end, updated_at = ${now}
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
}

/**
 * Lets one verdict at a time be given on or by any of some memories, until the transaction ends: of two that shall refute
 * each other the later sees that the earlier did. Before that of any memory; by name, since a proof may not be the caller's.
 */
export async function lockVerdicts(tx: Tx, tenantId: TenantId, ids: readonly MemoryId[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`verdict:${tenantId}:${id}`}, 0))`;
  }
}

/** Says of a memory that it is false, and what shows it; null where nothing was named. */
export async function setRefuted(
  tx: Tx,
  { tenantId, id, now }: Change,
  by: MemoryId | null,
  reason: string | null,
): Promise<void> {
  await tx.$executeRaw`update memory set state = 'refuted', refuted_by = ${by}::uuid, state_reason = ${reason},
      updated_at = ${now}
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
}

/** Days after which a memory waits to be erased, by its state; null: it never does. */
export interface RestorableDays {
  readonly forgotten: number;
  readonly archived: number | null;
}

/** The state in which a memory was left so long ago that it is only waiting to be erased; null while it can be restored. */
export async function isPastRestoring(
  tx: Tx,
  tenantId: TenantId,
  id: MemoryId,
  { forgotten, archived }: RestorableDays,
): Promise<'forgotten' | 'archived' | null> {
  const rows = await tx.$queryRaw<{ state: 'forgotten' | 'archived' }[]>`
    select state from memory where tenant_id = ${tenantId}::uuid and id = ${id}::uuid
      and state_since <= now() - make_interval(days => case state when 'forgotten' then ${forgotten}::int
        when 'archived' then ${archived}::int end)`;
  return rows[0]?.state ?? null;
}
