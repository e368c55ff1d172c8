import type { MemoryKind, TenantId } from '@tempera/core';
import type { Tx } from '../context.js';

/** Enough to tell a repetition; a text of 64 KiB has thousands. */
const MAX_TERMS = 1_000;

export interface OverlapRequest {
  readonly tenantId: TenantId;
  readonly kind: MemoryKind;
  /** Distinct terms of the text, and how many occurrences it has. */
  readonly terms: readonly string[];
  readonly length: number;
  /** The share of terms, of the larger of both texts, that makes an overlap, 0..1. */
  readonly share: number;
}

/** Whether some visible, active memory of the kind, about as long, has most of its terms in common with a text. */
export async function hasOverlap(tx: Tx, { tenantId, kind, terms, length, share }: OverlapRequest): Promise<boolean> {
  const known = terms.slice(0, MAX_TERMS);
  const rows = await tx.$queryRaw<{ found: boolean }[]>`
    select exists (
      select from memory
      where tenant_id = ${tenantId}::uuid and kind = ${kind} and state = 'active'
        and keyword_count between ${Math.floor(length * share)} and ${Math.ceil(length / share)}
        and length(keywords) - length(ts_delete(keywords, ${[...known]}::text[]))
          >= ${share}::float8 * least(greatest(length(keywords), ${terms.length}), ${MAX_TERMS})
    ) as found`;
  return rows[0]?.found ?? false;
}
