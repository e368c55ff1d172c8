import type { MemoryId, TenantId } from '@tempera/core';
import type { Tx } from '../context.js';

/** How alike the memories are, pair by pair: the best over parts and common encoders. Pairs without one are not there. */
export const pairwiseCosines = async (
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await tx.$queryRaw<{ one: string; other: string; cosine: number }[]>`
    with chosen as materialized (
      select memory_id, encoder, vector from embedding
      where tenant_id = ${tenantId}::uuid and memory_id = any (${[...ids]}::uuid[])
        and encoder <> all ((select encoders_beside(${tenantId}::uuid))::text[])
    )
    select a.memory_id as one, b.memory_id as other, max(1 - (a.vector <=> b.vector)) as cosine
    from chosen a join chosen b on b.encoder = a.encoder and a.memory_id < b.memory_id group by 1, 2`;
  return new Map(rows.map(({ one, other, cosine }) => [`${one} ${other}`, cosine]));
};
