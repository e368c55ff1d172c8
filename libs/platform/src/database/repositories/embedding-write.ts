import type { MemoryId, TenantId } from '@tempera/core';
import type { TextEmbedding } from '../../embedding/exports.js';
import { toVectorLiteral } from '../../search/vector-literal.js';
import type { Tx } from '../context.js';
import { type TenantEncoders, type TenantEncodersRow, toTenantEncoders } from './tenant-encoders.js';

/** The vectors of one revision of a memory. */
export interface NewEmbeddings {
  readonly tenantId: TenantId;
  readonly memoryId: MemoryId;
  readonly revision: number;
  /** Digest of the text that was embedded. */
  readonly contentHash: Uint8Array;
  readonly embeddings: readonly TextEmbedding[];
}

/**
 * Stores vectors; those that are there already stay. Who sees them is copied from the memory by a trigger.
 * @returns the tenant's encoders, as this transaction sees them; null where there was nothing to store
 * @throws AppError `conflict` (stale-revision) when the memory's text has changed since it was embedded
 */
export async function insertEmbeddings(
  tx: Tx,
  { tenantId, memoryId, revision, contentHash, embeddings }: NewEmbeddings,
): Promise<TenantEncoders | null> {
  const { encoders, parts, literals } = flatten(embeddings);
  if (encoders.length === 0) return null;
  const [row] = await tx.$queryRaw<{ encoders: TenantEncodersRow }[]>`/* kept */
    with stored as (insert into embedding (tenant_id, memory_id, encoder, part, revision, content_hash, vector)
    select ${tenantId}::uuid, ${memoryId}::uuid, encoder, part, ${revision}, ${Buffer.from(contentHash)}, literal::halfvec
    from unnest(${encoders}::text[], ${parts}::smallint[], ${literals}::text[]) as given (encoder, part, literal)
    on conflict do nothing)
    select tenant_encoders(${tenantId}::uuid) as encoders`;
  return toTenantEncoders(row?.encoders ?? { active: {}, coming: null });
}

/** The columns of vectors, for unnest: encoder, part, text form. */
export function flatten(embeddings: readonly TextEmbedding[]): {
  encoders: string[];
  parts: number[];
  literals: string[];
} {
  const rows = embeddings.flatMap(({ encoder, parts }) =>
    parts.map((vector, part) => ({ encoder, part, literal: toVectorLiteral(vector) })),
  );
  return {
    encoders: rows.map(({ encoder }) => encoder),
    parts: rows.map(({ part }) => part),
    literals: rows.map(({ literal }) => literal),
  };
}
