import { asId, type MemoryId, type SessionId, type TenantId } from '@tempera/core';
import { type Keywords, toTsvectorLiteral } from '../../search/text/exports.js';
import type { Tx } from '../context.js';
import type { MemoryAudience } from './memory-audience.js';
import type { EmbeddingState, MemoryContent } from './memory-record.js';

export const CAPTURE_SOURCES = ['api', 'cli', 'mcp', 'hook', 'import'] as const;
export type CaptureSource = (typeof CAPTURE_SOURCES)[number];

/** A memory to be stored for the first time. */
export interface NewMemory extends MemoryContent, MemoryAudience {
  readonly tenantId: TenantId;
  readonly language: string;
  readonly keywords: Keywords;
  readonly embeddingState: EmbeddingState;
  readonly sessionId: SessionId | null;
  readonly source: CaptureSource;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly now: Date;
}

/** Stores a memory; its memory_stat comes with it. @throws where the caller may not put one into that audience (42501) */
export async function insertMemory(tx: Tx, memory: NewMemory): Promise<MemoryId> {
  const rows = await tx.$queryRaw<{ id: string }[]>`/* kept */ 
    insert into memory (tenant_id, owner_id, project_id, group_id, scope, kind, title, text, language, task_type, outcome, tags,
      files_modified, errors_resolved, alternatives, validity, verification, pinned, expires_at, session_id, source,
      valid_from, started_at, ended_at, keywords, keyword_count, embedding_state, created_at, updated_at)
    values (${memory.tenantId}::uuid, ${memory.ownerId}::uuid, ${memory.projectId}::uuid, ${memory.groupId}::uuid,
      ${memory.scope}, ${memory.kind},
      ${memory.title}, ${memory.text}, ${memory.language}, ${memory.taskType}, ${memory.outcome},
      ${[...memory.tags]}::text[], ${[...memory.filesModified]}::text[], ${JSON.stringify(memory.errorsResolved)}::jsonb,
      ${JSON.stringify(memory.alternatives)}::jsonb, ${memory.validity}, ${memory.verification}, ${memory.pinned},
      ${memory.expiresAt}, ${memory.sessionId}::uuid, ${memory.source}, ${memory.endedAt}, ${memory.startedAt},
      ${memory.endedAt}, ${toTsvectorLiteral(memory.keywords)}::tsvector, ${memory.keywords.length},
      ${memory.embeddingState}, ${memory.now}, ${memory.now})
    returning id`;
  return asId<MemoryId>(rows[0]?.id ?? '');
}

/** Says whether the vectors of a memory's text are there, due, or given up; a newer text says so of its own. */
export async function setEmbeddingState(
  tx: Tx,
  { tenantId, id, revision }: { readonly tenantId: TenantId; readonly id: MemoryId; readonly revision: number },
  state: EmbeddingState,
): Promise<void> {
  await tx.$executeRaw`update memory set embedding_state = ${state}
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and revision = ${revision} and embedding_state <> ${state}`;
}
