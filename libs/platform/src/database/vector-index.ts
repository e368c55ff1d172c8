import { createHash } from 'node:crypto';

/** Dimensions of vectors that can be searched through an index; an index is of one size. */
export const INDEXED_DIMENSIONS = [384, 512] as const;
export type IndexedDimensions = (typeof INDEXED_DIMENSIONS)[number];

export const isIndexedDimensions = (dimensions: number): dimensions is IndexedDimensions =>
  (INDEXED_DIMENSIONS as readonly number[]).includes(dimensions);

const plain = (tenantId: string): string => tenantId.toLowerCase().replaceAll('-', '');

/** The partition of a tenant with many vectors, where it has one. */
export const partitionName = (tenantId: string): string => `embedding_t_${plain(tenantId)}`;

/**
 * The index over one encoder's vectors in that partition. The name is all that a search needs to know whether there is
 * one: it carries the tenant and a digest of the encoder, since an encoder's id is longer than a name may be.
 */
export const vectorIndexName = (tenantId: string, encoder: string): string =>
  `hnsw_${plain(tenantId)}_${createHash('sha256').update(encoder).digest('hex').slice(0, 12)}`;
