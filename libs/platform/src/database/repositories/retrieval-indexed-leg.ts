import { Prisma } from '../../generated/prisma/client.js';
import type { EncoderId } from '../../embedding/exports.js';
import type { QuestionVector, SearchRequest } from '../../search/search-request.js';
import { toVectorLiteral } from '../../search/vector-literal.js';
import type { Tx } from '../context.js';
import { type IndexedDimensions, isIndexedDimensions, vectorIndexName } from '../vector-index.js';

/** A memory by its best part of one encoder. */
export interface Nearest {
  readonly id: string;
  readonly encoder: string;
  readonly cosine: number;
}

/**
 * Visible vectors of one encoder from which an index pays: an exact scan of 20,000 takes about as long as a walk of the
 * index for hundreds of results, and is exact.
 */
const INDEX_FROM_VECTORS = 20_000;

/** Vectors taken from the index for each memory wanted: a memory may have several parts, and filters come after. */
const VECTORS_PER_RESULT = 2;

/**
 * So many vectors a walk keeps in view, the most that pgvector allows: with 400 the index of 100,000 found .934 of the nearest ten and .956 of
 * the nearest two hundred.
 */
const IN_VIEW = 1_000;

/** How far one walk may go before it gives up; the exact scan takes over then. */
const MAX_SCAN_TUPLES = 40_000;

/**
 * The nearest by those encoders whose vectors an index holds, for a tenant that has a partition of its own and an asker
 * who may see many of them. Never fewer than an exact scan would find: where the walk brings less than was asked for
 * (filters, rows hidden from the asker), its encoder is left out, and the caller scans exactly.
 */
export async function nearestByIndex(
  tx: Tx,
  request: SearchRequest,
  conditions: Prisma.Sql,
): Promise<ReadonlyMap<EncoderId, readonly Nearest[]>> {
  const found = new Map<EncoderId, readonly Nearest[]>();
  for (const question of await worthIndexing(tx, request)) {
    const dimensions = question.vector.length;
    if (!isIndexedDimensions(dimensions)) continue;
    const nearest = await walk(tx, request, question, TYPES[dimensions], conditions);
    if (nearest.length >= request.perLeg) found.set(question.encoder, nearest.slice(0, request.perLeg));
  }
  return found;
}

/**
 * Those of the question's vectors that have a valid index, over enough rows that the asker may see. Counted only where
 * there is an index, which the count therefore names: most tenants have none, and the planner would count first.
 */
async function worthIndexing(tx: Tx, request: SearchRequest): Promise<readonly QuestionVector[]> {
  const { tenantId, question, indexFromVectors = INDEX_FROM_VECTORS } = request;
  const rows = await tx.$queryRaw<{ encoder: string }[]>`/* kept */
    select given.encoder
    from unnest(${question.map(({ encoder }) => encoder)}::text[],
      ${question.map(({ encoder }) => vectorIndexName(tenantId, encoder))}::text[]) as given (encoder, name)
    join pg_index i on i.indexrelid = to_regclass('public.' || given.name) and i.indisvalid
    where ${indexFromVectors} <= (select count(*) from (
      select from embedding e
      where i.indisvalid and e.tenant_id = ${tenantId}::uuid and e.encoder = given.encoder limit ${indexFromVectors}
    ) seen)`;
  const encoders = new Set(rows.map(({ encoder }) => encoder));
  return question.filter(({ encoder }) => encoders.has(encoder));
}

/** The index is of one size, so the type that a query casts to is part of its text. */
const TYPES: Readonly<Record<IndexedDimensions, Prisma.Sql>> = {
  384: Prisma.sql`halfvec(384)`,
  512: Prisma.sql`halfvec(512)`,
};

/**
 * One walk of the index, under row-level security: rows that the asker may not see are passed over and the walk goes on
 * (iterative scan), so they cost time and never results. The setting is read back, because a server that does not know it
 * would silently stop after the first batch. The planner, which cannot know how many rows the policies leave, is kept from
 * sorting all of them.
 */
async function walk(
  tx: Tx,
  { tenantId, perLeg }: SearchRequest,
  { encoder, vector }: QuestionVector,
  type: Prisma.Sql,
  conditions: Prisma.Sql,
): Promise<readonly Nearest[]> {
  const wanted = VECTORS_PER_RESULT * perLeg;
  await tx.$queryRaw`select set_config('hnsw.iterative_scan', 'strict_order', true),
    set_config('hnsw.max_scan_tuples', ${String(MAX_SCAN_TUPLES)}, true),
    set_config('hnsw.ef_search', ${String(IN_VIEW)}, true),
    set_config('enable_sort', 'off', true)`;
  const rows = await tx.$queryRaw<{ id: string; cosine: number; mode: string }[]>`
    with near as materialized (
      select e.memory_id as id, (e.vector::${type}) <=> ${toVectorLiteral(vector)}::text::${type} as distance
      from embedding e where e.tenant_id = ${tenantId}::uuid and e.encoder = ${encoder}
      order by (e.vector::${type}) <=> ${toVectorLiteral(vector)}::text::${type} limit ${wanted}
    )
    select n.id, 1 - min(n.distance) as cosine, current_setting('hnsw.iterative_scan') as mode
    from near n join memory m on m.tenant_id = ${tenantId}::uuid and m.id = n.id
    where ${conditions} group by n.id order by cosine desc, n.id`;
  await tx.$queryRaw`select set_config('enable_sort', 'on', true)`;
  if (rows.some(({ mode }) => mode !== 'strict_order')) return [];
  return rows.map(({ id, cosine }) => ({ id, encoder, cosine }));
}
