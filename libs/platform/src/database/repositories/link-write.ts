import type { MemoryId, TenantId } from '@tempera/core';
import type { Tx } from '../context.js';

export type LinkKind = 'neighbour' | 'near' | 'conflict';

/** A directed link; weight is the cosine of the two. */
export interface NewLink {
  readonly from: MemoryId;
  readonly to: MemoryId;
  readonly kind: LinkKind;
  readonly weight: number;
}

/** Stores links, in one order for everybody, so that no two writers wait for each other; those that are there keep their weight. */
export async function insertLinks(tx: Tx, tenantId: TenantId, links: readonly NewLink[], now: Date): Promise<void> {
  if (links.length === 0) return;
  await tx.$executeRaw`/* kept */ 
    insert into link (tenant_id, from_id, to_id, kind, weight, created_at)
    select ${tenantId}::uuid, from_id, to_id, kind, weight, ${now}
    from unnest(${links.map(({ from }) => from)}::uuid[], ${links.map(({ to }) => to)}::uuid[],
      ${links.map(({ kind }) => kind)}::text[], ${links.map(({ weight }) => weight)}::float8[])
      as given (from_id, to_id, kind, weight)
    -- Who was near a moment ago may have moved to other people: there is nothing to join then.
    where exists (select from memory m where m.tenant_id = ${tenantId}::uuid and m.id = given.from_id)
      and exists (select from memory m where m.tenant_id = ${tenantId}::uuid and m.id = given.to_id)
      and not (given.kind = 'conflict' and exists (select from link l where l.tenant_id = ${tenantId}::uuid
      and l.from_id = given.to_id and l.to_id = given.from_id and l.kind = 'conflict'))
    order by from_id, to_id, kind
    on conflict do nothing`;
}
