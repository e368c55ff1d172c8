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
  const rows = await tx.$queryRaw<{ id: string }[]>`
    insert into memory (tenant_id, owner_id, project_id, scope, kind, title, text, language, task_type, outcome, tags,
      files_modified, errors_resolved, alternatives, validity, verification, pinned, expires_at, session_id, source,
      valid_from, started_at, ended_at, keywords, keyword_count, embedding_state, created_at, updated_at)
    values (${memory.tenantId}::uuid, ${memory.ownerId}::uuid, ${memory.projectId}::uuid, ${memory.scope}, ${memory.kind},
      ${memory.title}, ${memory.text}, ${memory.language}, ${memory.taskType}, ${memory.outcome},
      ${[...memory.tags]}::text[], ${[...memory.filesModified]}::text[], ${JSON.stringify(memory.errorsResolved)}::jsonb,
      ${JSON.stringify(memory.alternatives)}::jsonb, ${memory.validity}, ${memory.verification}, ${memory.pinned},
      ${memory.expiresAt}, ${memory.sessionId}::uuid, ${memory.source}, ${memory.endedAt}, ${memory.startedAt},
      ${memory.endedAt}, ${toTsvectorLiteral(memory.keywords)}::tsvector, ${memory.keywords.length},
      ${memory.embeddingState}, ${memory.now}, ${memory.now})
    returning id`;
  return asId<MemoryId>(rows[0]?.id ?? '');
}

/** The next text of a memory, with what both captures say joined. */
export interface MergedMemory extends MemoryContent {
  readonly tenantId: TenantId;
  readonly id: MemoryId;
  /** The revision this follows; another one in between makes the merge void. */
  readonly revision: number;
  readonly language: string;
  readonly keywords: Keywords;
  readonly embeddingState: EmbeddingState;
  /** How many more (user, session) say so: 0 or 1. */
  readonly newProofs: number;
  readonly endedAt: Date;
  readonly now: Date;
}

/**
 * Keeps the present text as a revision and puts the next in its place. Vectors of the old text go with it (a trigger).
 * @returns the new revision; null where the memory has changed meanwhile
 */
export async function mergeMemory(tx: Tx, merged: MergedMemory): Promise<number | null> {
  await tx.$executeRaw`
    insert into revision (tenant_id, memory_id, revision, title, text, tags, files_modified, author_id, reason, created_at)
    select m.tenant_id, m.id, m.revision, m.title, m.text, m.tags, m.files_modified, m.owner_id,
      case when m.revision = 1 then 'captured' else 'merged' end, ${merged.now}
    from memory m where m.tenant_id = ${merged.tenantId}::uuid and m.id = ${merged.id}::uuid
      and m.revision = ${merged.revision}`;
  const rows = await tx.$queryRaw<{ revision: number }[]>`
    update memory set title = ${merged.title}, text = ${merged.text}, language = ${merged.language},
      task_type = ${merged.taskType}, outcome = ${merged.outcome}, tags = ${[...merged.tags]}::text[],
      files_modified = ${[...merged.filesModified]}::text[], errors_resolved = ${JSON.stringify(merged.errorsResolved)}::jsonb,
      alternatives = ${JSON.stringify(merged.alternatives)}::jsonb, validity = ${merged.validity},
      verification = ${merged.verification}, pinned = ${merged.pinned}, expires_at = ${merged.expiresAt},
      keywords = ${toTsvectorLiteral(merged.keywords)}::tsvector, keyword_count = ${merged.keywords.length},
      embedding_state = ${merged.embeddingState}, proof_count = proof_count + ${merged.newProofs},
      revision = revision + 1, ended_at = greatest(ended_at, ${merged.endedAt}), updated_at = ${merged.now}
    where tenant_id = ${merged.tenantId}::uuid and id = ${merged.id}::uuid and revision = ${merged.revision}
    returning revision`;
  return rows[0]?.revision ?? null;
}

/** Says whether a memory's vectors are there, due, or given up. */
export async function setEmbeddingState(
  tx: Tx,
  tenantId: TenantId,
  memoryId: MemoryId,
  state: EmbeddingState,
): Promise<void> {
  await tx.$executeRaw`update memory set embedding_state = ${state}
    where tenant_id = ${tenantId}::uuid and id = ${memoryId}::uuid and embedding_state <> ${state}`;
}
