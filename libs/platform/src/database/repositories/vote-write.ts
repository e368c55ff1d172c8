import { asId, type MemoryId, type RetrievalId, type TenantId, type UserId } from '@tempera/core';
import type { QuestionEmbedding } from '../../embedding/exports.js';
import { toVectorLiteral } from '../../search/vector-literal.js';
import type { Tx } from '../context.js';

/** One person's word on one memory of one answer. */
export interface VoteKey {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly retrievalId: RetrievalId;
  readonly memoryId: MemoryId;
}

export interface NewVote extends VoteKey {
  readonly helpful: boolean;
  readonly note: string | null;
  readonly now: Date;
}

/** Records a vote; the last one stands. The memory's counts follow by trigger. @throws AppError `not-found` */
export async function recordVote(tx: Tx, { memoryId, helpful, retrievalId, note, now }: NewVote): Promise<void> {
  await tx.$queryRaw`
    select record_vote(${memoryId}::uuid, ${helpful}, ${retrievalId}::uuid, ${note}, ${now}) as retrieval`;
}

/** Takes a vote back, with the question it was given for. @returns whether there was one */
export async function withdrawVote(tx: Tx, { tenantId, userId, retrievalId, memoryId }: VoteKey): Promise<boolean> {
  const removed = await tx.$executeRaw`
    delete from vote where tenant_id = ${tenantId}::uuid and user_id = ${userId}::uuid
      and retrieval_id = ${retrievalId}::uuid and memory_id = ${memoryId}::uuid`;
  return removed > 0;
}

/**
 * Remembers the question of a vote as vectors, without its words. All of a person's questions are kept, near-equal ones
 * too: the ranking lets one a day speak, and a vote that is taken back leaves the others standing.
 */
export async function rememberQuestion(
  tx: Tx,
  { tenantId, userId, retrievalId, memoryId, helpful, now }: NewVote,
  question: readonly QuestionEmbedding[],
): Promise<void> {
  for (const { encoder, vector } of question) {
    await tx.$executeRaw`
      insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector, created_at)
      values (${tenantId}::uuid, ${userId}::uuid, ${retrievalId}::uuid, ${memoryId}::uuid, ${encoder}, ${helpful},
        ${toVectorLiteral(vector)}::halfvec, ${now})
      on conflict (tenant_id, user_id, retrieval_id, memory_id, encoder) do nothing`;
  }
}

/** The latest answer for which the person has a standing vote on each of the memories. */
export async function latestVotes(
  tx: Tx,
  tenantId: TenantId,
  userId: UserId,
  memoryIds: readonly MemoryId[],
): Promise<Map<MemoryId, RetrievalId>> {
  const rows = await tx.$queryRaw<{ memory_id: string; retrieval_id: string }[]>`
    select distinct on (memory_id) memory_id, retrieval_id from vote
    where tenant_id = ${tenantId}::uuid and user_id = ${userId}::uuid and memory_id = any (${[...memoryIds]}::uuid[])
    order by memory_id, created_at desc, retrieval_id`;
  return new Map(rows.map((row) => [asId<MemoryId>(row.memory_id), asId<RetrievalId>(row.retrieval_id)]));
}
