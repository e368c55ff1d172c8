import { asId, type MemoryId, type TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { EncoderId, TextEmbedding } from '../../embedding/exports.js';
import type { Tx } from '../context.js';
import { flatten } from './embedding-write.js';
import { type MemoryAudience, sameAudience } from './memory-audience.js';

/** How near a stored memory lies to a text. */
export interface NearMemory {
  readonly id: MemoryId;
  /** The best pair of parts, over all encoders. */
  readonly cosine: number;
  /** By encoder: the best pair of parts, and the worst among each part's best partner, in both directions. */
  readonly byEncoder: ReadonlyMap<EncoderId, { readonly best: number; readonly worst: number }>;
  /** How many active memories of its own are at least as near to it. */
  readonly nearerNeighbours: number;
  /** Since when it has its present text. */
  readonly since: Date;
}

interface NearRow {
  id: string;
  encoder: string;
  best: number;
  worst: number;
  nearer: number;
  since: Date;
}

export interface NearRequest {
  readonly tenantId: TenantId;
  readonly audience: MemoryAudience;
  readonly embeddings: readonly TextEmbedding[];
  /** Not itself. */
  readonly except?: MemoryId;
  /** Only this one. */
  readonly only?: MemoryId;
  /** Memories that were found to be false, instead of those in use. */
  readonly refuted?: boolean;
  readonly limit: number;
}

/** Active (or refuted) memories of one audience that lie above the encoder's edge threshold, nearest first. Exact. */
export async function findNear(
  tx: Tx,
  { tenantId, audience, embeddings, except, only, refuted = false, limit }: NearRequest,
): Promise<NearMemory[]> {
  if (embeddings.length === 0) return [];
  const { encoders, parts, literals } = flatten(embeddings);
  const edges = embeddings.map(({ card }) => card.thresholds.edge.cosine);
  // Few are: the others' vectors are not read.
  const among = refuted
    ? Prisma.sql`and e.memory_id in (select x.id from memory x where x.tenant_id = ${tenantId}::uuid and x.state = 'refuted')`
    : Prisma.empty;
  const rows = await tx.$queryRaw<NearRow[]>`/* kept */
    with given as materialized (
      select encoder, part, literal::halfvec as vector
      from unnest(${encoders}::text[], ${parts}::smallint[], ${literals}::text[]) as given (encoder, part, literal)
    ), pair as materialized (
      select e.memory_id as id, e.encoder, e.part as stored, g.part as given, 1 - (e.vector <=> g.vector) as cosine
      from embedding e join given g on g.encoder = e.encoder
      where e.tenant_id = ${tenantId}::uuid and ${sameAudience(audience)}
        and e.memory_id is distinct from ${except ?? null}::uuid
        and (${only ?? null}::uuid is null or e.memory_id = ${only ?? null}::uuid) ${among}
    ), near as materialized (
      select p.id, p.encoder, max(p.cosine) as best, m.text_since as since
      from pair p join unnest(${embeddings.map(({ encoder }) => encoder)}::text[], ${edges}::float8[]) as t (encoder, edge)
        on t.encoder = p.encoder
      join memory m on m.tenant_id = ${tenantId}::uuid and m.id = p.id and m.superseded_by is null
        and m.state = ${refuted ? 'refuted' : 'active'}
      where p.cosine >= t.edge
      group by p.id, p.encoder, t.edge, m.text_since having max(p.cosine) >= t.edge
      order by best desc, p.id limit ${limit}
    ), partner as (
      select p.id, p.encoder, max(p.cosine) as cosine from pair p join near using (id, encoder) group by p.id, p.encoder, p.given
      union all
      select p.id, p.encoder, max(p.cosine) from pair p join near using (id, encoder) group by p.id, p.encoder, p.stored
    ), worst as (select id, encoder, min(cosine) as worst from partner group by id, encoder)
    select n.id, n.encoder, n.best, n.since, w.worst, (
      select count(*)::int from link l
        join memory o on o.tenant_id = l.tenant_id and o.id = l.to_id and o.state = 'active' and o.superseded_by is null
      where l.tenant_id = ${tenantId}::uuid and l.from_id = n.id and l.kind = 'neighbour' and l.weight >= n.best) as nearer
    from near n join worst w using (id, encoder)
    order by n.best desc, n.id`;
  return byMemory(rows);
}

function byMemory(rows: readonly NearRow[]): NearMemory[] {
  const found = new Map<string, NearRow[]>();
  for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row]);
  return [...found].map(([id, of]) => ({
    id: asId<MemoryId>(id),
    since: new Date(Math.max(...of.map(({ since }) => since.getTime()))),
    cosine: Math.max(...of.map(({ best }) => best)),
    byEncoder: new Map(of.map(({ encoder, best, worst }) => [encoder as EncoderId, { best, worst }])),
    nearerNeighbours: Math.min(...of.map(({ nearer }) => nearer)),
  }));
}
