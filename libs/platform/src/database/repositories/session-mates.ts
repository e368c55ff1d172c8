import { asId, type MemoryId, type TenantId } from '@tempera/core';
import type { Tx } from '../context.js';

/** Memories of the same sessions, for each of some memories: visible, active, not expired, nearest in time first. */
export async function findSessionMates(
  tx: Tx,
  tenantId: TenantId,
  memoryIds: readonly MemoryId[],
  { perMemory, now }: { readonly perMemory: number; readonly now: Date },
): Promise<Map<MemoryId, MemoryId[]>> {
  const rows = await tx.$queryRaw<{ id: string; mate: string }[]>`/* kept */
    select m.id, mate.id as mate
    from memory m cross join lateral (
      select o.id from memory o
      where o.tenant_id = m.tenant_id and o.session_id = m.session_id and o.id <> m.id and o.state = 'active'
        and o.superseded_by is null and (o.expires_at is null or o.expires_at > ${now})
      order by abs(extract(epoch from o.ended_at - m.ended_at)), o.id limit ${perMemory}
    ) mate
    where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...memoryIds]}::uuid[]) and m.session_id is not null`;
  const mates = new Map<MemoryId, MemoryId[]>();
  for (const row of rows) {
    const id = asId<MemoryId>(row.id);
    mates.set(id, [...(mates.get(id) ?? []), asId<MemoryId>(row.mate)]);
  }
  return mates;
}
