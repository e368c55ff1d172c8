import {
  asId,
  type MemoryId,
  type ProjectId,
  type RetrievalId,
  type RetrievalKind,
  type TenantId,
  type UserId,
} from '@tempera/core';
import type { Tx } from '../context.js';

/** One memory of an answer, in its place. */
export interface ShownMemory {
  readonly id: MemoryId;
  readonly relevance: number;
  readonly score: number;
}

export interface NewRetrieval {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly projectId: ProjectId | null;
  readonly kind: RetrievalKind;
  /** Null where nothing was said in words. */
  readonly question: string | null;
  readonly now: Date;
  /** The moment it asked about: then nothing is counted as shown, and nothing of it is voted on. */
  readonly asOf: Date | null;
  /** In the order of the answer. */
  readonly shown: readonly ShownMemory[];
}

/** Records who asked what and was shown which memories; their counts follow by trigger. */
export async function recordRetrieval(tx: Tx, retrieval: NewRetrieval): Promise<RetrievalId> {
  const { tenantId, userId, projectId, kind, question, now, asOf, shown } = retrieval;
  const rows = await tx.$queryRaw<{ id: string }[]>`/* kept */
    insert into retrieval (tenant_id, user_id, project_id, kind, question, as_of, created_at)
    values (${tenantId}::uuid, ${userId}::uuid, ${projectId}::uuid, ${kind}, ${question}, ${asOf}, ${now}) returning id`;
  const id = asId<RetrievalId>(rows[0]?.id ?? '');
  if (asOf === null && shown.length > 0) {
    await tx.$executeRaw`/* kept */ select record_hits(${id}::uuid, ${shown.map((hit) => hit.id)}::uuid[],
      ${shown.map(({ relevance }) => relevance)}::float8[], ${shown.map(({ score }) => score)}::float8[])`;
  }
  return id;
}

/** The question of one's own retrieval; null when it is unknown, not one's own, had no words, or they have been purged. */
export async function readQuestion(tx: Tx, tenantId: TenantId, retrievalId: RetrievalId): Promise<string | null> {
  const rows = await tx.$queryRaw<{ question: string | null }[]>`
    select question from retrieval where tenant_id = ${tenantId}::uuid and id = ${retrievalId}::uuid`;
  return rows[0]?.question ?? null;
}

/** One's own latest retrieval that showed each of the memories. */
export async function latestRetrievals(
  tx: Tx,
  tenantId: TenantId,
  userId: UserId,
  memoryIds: readonly MemoryId[],
): Promise<Map<MemoryId, RetrievalId>> {
  const rows = await tx.$queryRaw<{ memory_id: string; retrieval_id: string }[]>`
    select distinct on (h.memory_id) h.memory_id, h.retrieval_id
    from retrieval r join retrieval_hit h on h.tenant_id = r.tenant_id and h.retrieval_id = r.id
    where r.tenant_id = ${tenantId}::uuid and r.user_id = ${userId}::uuid and h.memory_id = any (${[...memoryIds]}::uuid[])
    order by h.memory_id, r.created_at desc, r.id desc`;
  return new Map(rows.map((row) => [asId<MemoryId>(row.memory_id), asId<RetrievalId>(row.retrieval_id)]));
}

/** Which of the memories a retrieval of one's own showed. */
export async function shownBy(
  tx: Tx,
  tenantId: TenantId,
  retrievalId: RetrievalId,
  memoryIds: readonly MemoryId[],
): Promise<Set<MemoryId>> {
  const rows = await tx.$queryRaw<{ memory_id: string }[]>`
    select memory_id from retrieval_hit
    where tenant_id = ${tenantId}::uuid and retrieval_id = ${retrievalId}::uuid and memory_id = any (${[...memoryIds]}::uuid[])`;
  return new Set(rows.map((row) => asId<MemoryId>(row.memory_id)));
}
