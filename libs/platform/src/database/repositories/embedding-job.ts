import {
  asId,
  type GroupId,
  type MemoryId,
  type ProjectId,
  type Scope,
  type TenantId,
  type UserId,
} from '@tempera/core';
import type { Tx } from '../context.js';
import type { MemoryAudience } from './memory-audience.js';
import type { EmbeddingState } from './memory-record.js';

/** A memory whose vectors are due. */
export interface MemoryToEmbed extends MemoryAudience {
  readonly tenantId: TenantId;
  readonly id: MemoryId;
  readonly revision: number;
  readonly title: string;
  readonly text: string;
  readonly embeddingState: EmbeddingState;
  /** Who wrote the present text, and since when it stands. */
  readonly writtenBy: UserId;
  readonly textSince: Date;
  /** It was archived, forgotten or superseded once: a person has judged it since. */
  readonly wasAway: boolean;
}

/** Reads what is to be embedded, as mem_text; null when the memory is gone or no longer active. */
export async function readMemoryToEmbed(tx: Tx, tenantId: TenantId, memoryId: MemoryId): Promise<MemoryToEmbed | null> {
  const rows = await tx.$queryRaw<
    {
      revision: number;
      title: string;
      text: string;
      scope: string;
      owner_id: string;
      project_id: string | null;
      group_id: string | null;
      embedding_state: string;
      written_by: string;
      text_since: Date;
      was_away: boolean;
    }[]
  >`
    select revision, title, text, scope, owner_id, project_id, group_id, embedding_state,
      coalesce(written_by, owner_id) as written_by, text_since, not isempty(absent) as was_away from memory
    where tenant_id = ${tenantId}::uuid and id = ${memoryId}::uuid and state = 'active'`;
  const row = rows[0];
  if (row === undefined) return null;
  return {
    tenantId,
    id: memoryId,
    revision: row.revision,
    title: row.title,
    text: row.text,
    scope: row.scope as Scope,
    ownerId: asId(row.owner_id),
    projectId: row.project_id === null ? null : asId<ProjectId>(row.project_id),
    groupId: row.group_id === null ? null : asId<GroupId>(row.group_id),
    embeddingState: row.embedding_state as EmbeddingState,
    writtenBy: asId<UserId>(row.written_by),
    textSince: row.text_since,
    wasAway: row.was_away,
  };
}

/** Promises, in the transaction that made it necessary, that a memory will be embedded. */
export async function promiseEmbedding(tx: Tx, tenantId: TenantId, memoryId: MemoryId, now: Date): Promise<void> {
  await tx.$executeRaw`
    insert into outbox (tenant_id, kind, subject_id, available_at, created_at)
    values (${tenantId}::uuid, 'memory.embed', ${memoryId}::uuid, ${now}, ${now})`;
}

/** Keeps a promise: in the transaction that stored the vectors. */
export async function completeOutbox(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`select complete_outbox(${id}::uuid)`;
}

/** Puts a promise off. @param reason a code, never a text that could hold what people wrote */
export async function postponeOutbox(tx: Tx, id: string, reason: string, delaySeconds: number): Promise<void> {
  await tx.$executeRaw`select postpone_outbox(${id}::uuid, ${reason}, make_interval(secs => ${delaySeconds}))`;
}
