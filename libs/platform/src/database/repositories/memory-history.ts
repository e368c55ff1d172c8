import { asId, type MemoryId, type TenantId, type UserId } from '@tempera/core';
import type { Tx } from '../context.js';
import type { LinkKind } from './link-write.js';

/** A text that a memory once had. */
export interface PastRevision {
  readonly memoryId: MemoryId;
  readonly revision: number;
  readonly title: string;
  readonly text: string;
  /** How this text came: captured, merged or edited. */
  readonly reason: string;
  readonly authorId: UserId;
  /** When the next text took its place. */
  readonly replacedAt: Date;
}

/** Earlier texts of visible memories, newest first, at most `perMemory` of each. */
export async function readRevisions(
  tx: Tx,
  tenantId: TenantId,
  memoryIds: readonly MemoryId[],
  perMemory: number,
): Promise<PastRevision[]> {
  const rows = await tx.$queryRaw<
    {
      memory_id: string;
      revision: number;
      title: string;
      text: string;
      reason: string;
      author_id: string;
      created_at: Date;
    }[]
  >`
    select r.memory_id, r.revision, r.title, r.text, r.reason, r.author_id, r.created_at
    from unnest(${[...memoryIds]}::uuid[]) as wanted (id) cross join lateral (
      select * from revision
      where tenant_id = ${tenantId}::uuid and memory_id = wanted.id order by revision desc limit ${perMemory}
    ) r
    order by r.memory_id, r.revision desc`;
  return rows.map((row) => ({
    memoryId: asId(row.memory_id),
    revision: row.revision,
    title: row.title,
    text: row.text,
    reason: row.reason,
    authorId: asId(row.author_id),
    replacedAt: row.created_at,
  }));
}

/** How a memory is related: by a link, or because one took the place of the other, or refutes it. */
export type RelationKind = LinkKind | 'supersedes' | 'superseded_by' | 'refutes' | 'refuted_by';

/** A memory that is related to another, and how. */
export interface RelatedMemory {
  readonly memoryId: MemoryId;
  readonly relatedId: MemoryId;
  readonly kind: RelationKind;
  /** 0..1. */
  readonly weight: number;
}

/** Where two are related in several ways, the first of these is told. */
const RELATIONS: readonly RelationKind[] = [
  'superseded_by',
  'supersedes',
  'refuted_by',
  'refutes',
  'conflict',
  'near',
  'neighbour',
];

/**
 * What took the place of visible memories or gave way to them, what refutes them or they refute, and links to visible, active
 * ones that stand, in either direction; each pair once, at most `perMemory` of each.
 */
export async function readRelated(
  tx: Tx,
  tenantId: TenantId,
  memoryIds: readonly MemoryId[],
  perMemory: number,
): Promise<RelatedMemory[]> {
  const ids = [...memoryIds];
  const rows = await tx.$queryRaw<{ memory_id: string; related_id: string; kind: string; weight: number }[]>`
    select memory_id, related_id, kind, weight from (
      select l.memory_id, l.related_id, (array_agg(l.kind order by l.rank))[1] as kind, max(l.weight) as weight, row_number() over (
        partition by l.memory_id order by min(l.rank) = ${RELATIONS.length}, min(l.rank) > 4, max(l.weight) desc, l.related_id) as place
      from (
        select r.*, array_position(${[...RELATIONS]}::text[], r.kind) as rank from (
          select ends.memory_id, ends.related_id, kind, weight
          from link cross join lateral (values (from_id, to_id), (to_id, from_id)) ends (memory_id, related_id)
          where tenant_id = ${tenantId}::uuid and ends.memory_id = any (${ids}::uuid[])
            and (from_id = any (${ids}::uuid[]) or to_id = any (${ids}::uuid[]))
          union all
          select id, superseded_by, 'superseded_by', 1 from memory
          where tenant_id = ${tenantId}::uuid and id = any (${ids}::uuid[]) and superseded_by is not null
          union all
          select superseded_by, id, 'supersedes', 1 from memory
          where tenant_id = ${tenantId}::uuid and superseded_by = any (${ids}::uuid[])
          union all
          select id, refuted_by, 'refuted_by', 1 from memory
          where tenant_id = ${tenantId}::uuid and id = any (${ids}::uuid[]) and refuted_by is not null
          union all
          select refuted_by, id, 'refutes', 1 from memory
          where tenant_id = ${tenantId}::uuid and refuted_by = any (${ids}::uuid[])
        ) r
      ) l join memory m on m.tenant_id = ${tenantId}::uuid and m.id = l.related_id
        and (m.state = 'active' and (m.superseded_by is null or l.kind in ('supersedes', 'superseded_by'))
          or m.state = 'refuted' and l.kind = 'refutes')
      group by l.memory_id, l.related_id
    ) ranked
    where place <= ${perMemory}
    order by place`;
  return rows.map((row) => ({
    memoryId: asId(row.memory_id),
    relatedId: asId(row.related_id),
    kind: row.kind as RelationKind,
    weight: row.weight,
  }));
}
