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

/** A memory that is related to another, and how. */
export interface RelatedMemory {
  readonly memoryId: MemoryId;
  readonly relatedId: MemoryId;
  readonly kind: LinkKind;
  /** 0..1. */
  readonly weight: number;
}

/**
 * Links of visible memories to visible, active ones, in either direction, each pair once (a conflict before mere nearness),
 * nearest first, at most `perMemory` of each.
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
      select l.memory_id, l.related_id, min(l.kind) as kind, max(l.weight) as weight, row_number() over (
        partition by l.memory_id order by min(l.kind) = 'neighbour', max(l.weight) desc, l.related_id) as place
      from (
        select ends.memory_id, ends.related_id, kind, weight
        from link cross join lateral (values (from_id, to_id), (to_id, from_id)) ends (memory_id, related_id)
        where tenant_id = ${tenantId}::uuid and ends.memory_id = any (${ids}::uuid[])
          and (from_id = any (${ids}::uuid[]) or to_id = any (${ids}::uuid[]))
      ) l join memory m on m.tenant_id = ${tenantId}::uuid and m.id = l.related_id and m.state = 'active'
      group by l.memory_id, l.related_id
    ) ranked
    where place <= ${perMemory}
    order by weight desc, related_id`;
  return rows.map((row) => ({
    memoryId: asId(row.memory_id),
    relatedId: asId(row.related_id),
    kind: row.kind as LinkKind,
    weight: row.weight,
  }));
}
