import { asId, type MemoryId, type TenantId } from '@tempera/core';
import type { Tx } from '../context.js';
import { audienceName, type MemoryAudience } from './memory-audience.js';

/**
 * Lets one decision into an audience at a time, until the transaction ends: of two that are captured at once the later
 * must see the earlier, or both would stand. After the lock of a person's captures, and before that of any memory.
 */
export async function lockDecisions(tx: Tx, tenantId: TenantId, audience: MemoryAudience): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`decide:${tenantId}:${audienceName(audience)}`}, 0))`;
}

/**
 * Locks those of some memories that are in use, stand, and that the caller may retire: may change, and take a pin off where
 * they have one. In one order for everybody, so that no two wait for each other.
 * @param unasked nobody said so: then what the database would refuse is left out, as in an archived project
 */
export async function lockRetirable(
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
  unasked = false,
): Promise<Set<MemoryId>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ id: string; may_retire: boolean }[]>`
    select m.id, (not m.pinned or maintains_memory(m)) and (not ${unasked} or (
        (m.scope <> 'project' or m.project_id = any (my_open_projects()))
        and (m.scope = 'private' or not exists (select from project p
          where p.tenant_id = m.tenant_id and p.id = m.project_id and p.archived_at is not null)))) as may_retire
    from memory m
    where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[]) and m.state = 'active'
      and m.superseded_by is null
    order by m.id for no key update`;
  return new Set(rows.filter((row) => row.may_retire).map((row) => asId<MemoryId>(row.id)));
}

export interface Retirement {
  readonly tenantId: TenantId;
  readonly older: MemoryId;
  readonly newer: MemoryId;
  readonly now: Date;
}

/**
 * Retires a memory for a newer one; since when that is known, and until when it held, follow by a trigger.
 * @throws AppError `conflict` where they would supersede each other in a circle
 */
export async function supersede(tx: Tx, { tenantId, older, newer, now }: Retirement): Promise<void> {
  await tx.$executeRaw`update memory set superseded_by = ${newer}::uuid, updated_at = ${now}
    where tenant_id = ${tenantId}::uuid and id = ${older}::uuid and superseded_by is distinct from ${newer}::uuid`;
}

/** Lets a retired memory stand again; a trigger notes that the two contradict each other. */
export async function liftSupersession(tx: Tx, tenantId: TenantId, id: MemoryId, now: Date): Promise<void> {
  await tx.$executeRaw`update memory set superseded_by = null, updated_at = ${now}
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and superseded_by is not null`;
}
