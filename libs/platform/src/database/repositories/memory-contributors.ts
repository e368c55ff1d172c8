import { asId, type MemoryId, type TenantId, type UserId } from '@tempera/core';
import type { Tx } from '../context.js';

/** Somebody who captured a memory, or one that was merged into it. */
export interface Contributor {
  readonly memoryId: MemoryId;
  readonly userId: UserId;
}

/** Who captured each of the memories and what is merged into it, the first to capture first; at most `perMemory` of each. */
export async function readContributors(
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
  perMemory: number,
): Promise<Contributor[]> {
  const rows = await tx.$queryRaw<{ root: string; owner_id: string }[]>`
    with recursive part (root, id, owner_id, created_at, depth) as (
      select m.id, m.id, m.owner_id, m.created_at, 0 from memory m
      where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[])
      union all
      select p.root, m.id, m.owner_id, m.created_at, p.depth + 1
      from part p join memory m on m.tenant_id = ${tenantId}::uuid and m.merged_into = p.id
      where p.depth < 50
    ), person as (
      select root, owner_id, row_number() over (partition by root order by min(created_at), owner_id) as place
      from part group by root, owner_id
    )
    select root, owner_id from person where place <= ${perMemory} order by root, place`;
  return rows.map(({ root, owner_id }) => ({ memoryId: asId<MemoryId>(root), userId: asId<UserId>(owner_id) }));
}
