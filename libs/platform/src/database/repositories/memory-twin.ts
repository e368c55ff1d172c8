import { asId, type MemoryId, type MemoryKind, type TenantId } from '@tempera/core';
import type { Tx } from '../context.js';
import { type MemoryAudience, sameAudience } from './memory-audience.js';

export interface SameTextRequest {
  readonly tenantId: TenantId;
  readonly audience: MemoryAudience;
  readonly kind: MemoryKind;
  readonly text: string;
  /** Not itself. */
  readonly except?: MemoryId;
}

/** The author's oldest active memory with exactly this text, for the same people and of the same kind; null without one. */
export async function findSameText(tx: Tx, request: SameTextRequest): Promise<MemoryId | null> {
  const { tenantId, audience, kind, text, except } = request;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from memory
    where tenant_id = ${tenantId}::uuid and ${sameAudience(audience)} and owner_id = ${audience.ownerId}::uuid
      and project_id is not distinct from ${audience.projectId}::uuid and kind = ${kind} and text = ${text}
      and state = 'active' and superseded_by is null and id is distinct from ${except ?? null}::uuid
    order by created_at, id limit 1`;
  const row = rows[0];
  return row === undefined ? null : asId<MemoryId>(row.id);
}
