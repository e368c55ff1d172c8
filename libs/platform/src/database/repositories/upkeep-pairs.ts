import { asId, type MemoryId, type MemoryKind, type Outcome, type TenantId, type UserId } from '@tempera/core';
import type { EncoderId } from '../../embedding/exports.js';
import type { Tx } from '../context.js';
import type { MemoryAudience } from './memory-audience.js';

/** Two memories that the links call near. */
export interface LinkedPair {
  readonly a: MemoryId;
  readonly b: MemoryId;
}

/**
 * Pairs of which one is among `ids` and that are linked at least that near: what was found at capture among the nearest ten
 * of each, so that nobody compares all with all.
 */
export async function findLinkedPairs(
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
  minWeight: number,
): Promise<LinkedPair[]> {
  const rows = await tx.$queryRaw<{ a: string; b: string }[]>`
    select distinct least(l.from_id, l.to_id) as a, greatest(l.from_id, l.to_id) as b from link l
    where l.tenant_id = ${tenantId}::uuid and l.from_id = any (${[...ids]}::uuid[])
      and l.kind in ('neighbour', 'near') and l.weight >= least(${minWeight}, (select min(c.cluster)
        from encoder_change c where c.tenant_id = ${tenantId}::uuid and c.switched_at is not null))
    order by 1, 2`;
  return rows.map(({ a, b }) => ({ a: asId<MemoryId>(a), b: asId<MemoryId>(b) }));
}

/** How near two memories lie by one encoder: the worst among each part's best partner, in both directions. */
export interface PairNearness extends LinkedPair {
  readonly encoder: EncoderId;
  readonly cosine: number;
  /** What its card calls a cluster; null for a standard encoder. */
  readonly cluster: number | null;
}

/** Every pair within each group, by each encoder that both were read by; a memory with itself tells which those are. */
export async function measurePairs(
  tx: Tx,
  tenantId: TenantId,
  groups: readonly (readonly MemoryId[])[],
): Promise<PairNearness[]> {
  const members = groups.flatMap((ids, group) => ids.map((id) => ({ id, group })));
  const rows = await tx.$queryRaw<{ a: string; b: string; encoder: string; cosine: number; cluster: number | null }[]>`
    with e as materialized (
      select g.number, v.memory_id as id, v.encoder, v.part, v.vector
      from unnest(${members.map(({ id }) => id)}::uuid[], ${members.map(({ group }) => group)}::int[]) as g (id, number)
        join embedding v on v.tenant_id = ${tenantId}::uuid and v.memory_id = g.id
      where v.encoder <> all ((select encoders_beside(${tenantId}::uuid))::text[])
    ), pair as materialized (
      select one.id as a, other.id as b, one.encoder, one.part as mine, other.part as theirs,
        1 - (one.vector <=> other.vector) as cosine
      from e one join e other on other.number = one.number and other.encoder = one.encoder and one.id <= other.id
    ), partner as (
      select a, b, encoder, max(cosine) as cosine from pair group by a, b, encoder, mine
      union all
      select a, b, encoder, max(cosine) from pair group by a, b, encoder, theirs
    )
    select a, b, encoder, min(cosine) as cosine, (select c.cluster from encoder_change c
      where c.tenant_id = ${tenantId}::uuid and c.to_encoder = p.encoder order by c.requested_at desc limit 1) as cluster
    from partner p group by a, b, encoder order by a, b, encoder`;
  return rows.map((row) => ({
    a: asId<MemoryId>(row.a),
    b: asId<MemoryId>(row.b),
    encoder: row.encoder as EncoderId,
    cosine: row.cosine,
    cluster: row.cluster,
  }));
}

/** What decides whether memories may be merged. */
export interface MergeableMemory extends MemoryAudience {
  readonly id: MemoryId;
  readonly ownerId: UserId;
  readonly kind: MemoryKind;
  readonly title: string;
  readonly text: string;
  readonly outcome: Outcome | null;
  readonly revision: number;
  /** Since when it has its present text. */
  readonly writtenAt: Date;
}

/** Those of some visible memories that are active and not over. */
export async function readMergeable(
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
  now: Date,
): Promise<MergeableMemory[]> {
  const rows = await tx.$queryRaw<MergeableMemory[]>`
    select m.id, m.kind, m.scope, m.owner_id as "ownerId", m.project_id as "projectId", m.group_id as "groupId", m.title,
      m.text, m.outcome, m.revision, coalesce((select max(r.created_at) from revision r
        where r.tenant_id = m.tenant_id and r.memory_id = m.id), m.created_at) as "writtenAt"
    from memory m
    where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[]) and m.state = 'active'
      and m.superseded_by is null and (m.expires_at is null or m.expires_at > ${now})
      and (m.valid_to is null or m.valid_to > ${now})
    order by m.id`;
  return rows;
}
