import type { MemoryId, TenantId } from '@tempera/core';
import { type Keywords, toTsvectorLiteral } from '../../search/text/exports.js';
import type { Tx } from '../context.js';
import type { EmbeddingState, MemoryContent } from './memory-record.js';

/** What a later capture brings to a memory that is there, with what both captures say joined. */
export interface JoinedMemory extends MemoryContent {
  readonly tenantId: TenantId;
  readonly id: MemoryId;
  /** The revision this was made from; another one in between makes it void. */
  readonly revision: number;
  readonly keywords: Keywords;
  readonly now: Date;
}

/** The next text of a memory. */
export interface NextText extends JoinedMemory {
  readonly language: string;
  readonly embeddingState: EmbeddingState;
  readonly writtenAs: 'merged' | 'edited';
  /** It says something else: votes for the texts before it weigh half. */
  readonly saysOther: boolean;
}

/**
 * Puts the next text of a memory in the place of the present one, which triggers keep as a revision; vectors and links of
 * other words go with it.
 * @returns the new revision; null where the memory has changed meanwhile, or was put away: words would be lost there
 */
export async function replaceText(tx: Tx, next: NextText): Promise<number | null> {
  const rows = await tx.$queryRaw<{ revision: number }[]>`
    update memory set title = ${next.title}, text = ${next.text}, language = ${next.language},
      embedding_state = ${next.embeddingState}, revision = revision + 1, written_as = ${next.writtenAs},
      says_other = ${next.saysOther}, updated_at = ${next.now}
    where tenant_id = ${next.tenantId}::uuid and id = ${next.id}::uuid and revision = ${next.revision} and state = 'active'
    returning revision`;
  const revision = rows[0]?.revision;
  if (revision === undefined) return null;
  await joinMemory(tx, { ...next, revision });
  return revision;
}

/**
 * Adds to a memory what a capture of the same text knows beside it. Its text, vectors and revision stay. A pin that other words have lost comes
 * back by who maintains alone.
 * @returns whether it was still there in that revision
 */
export async function joinMemory(tx: Tx, joined: JoinedMemory): Promise<boolean> {
  const changed = await tx.$executeRaw`
    update memory set kind = ${joined.kind}, task_type = ${joined.taskType}, outcome = ${joined.outcome}, tags = ${[...joined.tags]}::text[],
      files_modified = ${[...joined.filesModified]}::text[], errors_resolved = ${JSON.stringify(joined.errorsResolved)}::jsonb,
      alternatives = ${JSON.stringify(joined.alternatives)}::jsonb, validity = ${joined.validity},
      verification = ${joined.verification}, pinned = ${joined.pinned} and (pinned or maintains_memory(memory)), expires_at = ${joined.expiresAt},
      keywords = ${toTsvectorLiteral(joined.keywords)}::tsvector, keyword_count = ${joined.keywords.length},
      updated_at = ${joined.now}
    where tenant_id = ${joined.tenantId}::uuid and id = ${joined.id}::uuid and revision = ${joined.revision}
      and state = 'active'`;
  return changed === 1;
}
