import type { MemoryId, TenantId } from '@tempera/core';
import { type Keywords, toTsvectorLiteral } from '../../search/text/exports.js';
import type { RunRef } from '../../temporal/contract.js';
import type { Tx } from '../context.js';
import type { MemoryContent } from './memory-record.js';
import { inOpenPlace, ofPage, type PageOfMemories } from './page-of-memories.js';
import type { MergeState } from './upkeep-merge.js';

/** Active memories in order of id, where something may be decided. */
export const pageOfActive = (tx: Tx, { tenantId }: RunRef, page: PageOfMemories): Promise<{ id: MemoryId }[]> =>
  tx.$queryRaw<{ id: MemoryId }[]>`
    select m.id from memory m
    where m.tenant_id = ${tenantId}::uuid and m.state = 'active' and ${inOpenPlace} and ${ofPage(page)}
    order by m.id limit ${page.limit}::int`;

/** The least cosine that any project of the tenant calls a cluster; null: the cards' thresholds hold everywhere. */
export const leastClusterThreshold = async (tx: Tx, tenantId: string): Promise<number | null> => {
  const [row] = await tx.$queryRaw<{ least: number | null }[]>`
    select min((value #>> '{}')::float8) as least from setting
    where tenant_id = ${tenantId}::uuid and key = 'storage.cluster_threshold'`;
  return row?.least ?? null;
};

/** What a memory says in one of its revisions. */
export interface ContentOfRevision extends MemoryContent {
  readonly id: MemoryId;
  readonly revision: number;
}

/** What memories say, for whoever reads texts and no scores. */
export const readContents = async (
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
): Promise<Map<MemoryId, ContentOfRevision>> => {
  const rows = await tx.$queryRaw<ContentOfRevision[]>`
    select m.id, m.revision, m.kind, m.title, m.text, m.task_type as "taskType", m.outcome, m.tags,
      m.files_modified as "filesModified", m.errors_resolved as "errorsResolved", m.alternatives, m.validity, m.verification,
      m.pinned, m.expires_at as "expiresAt"
    from memory m where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
};

/** Memories that become one, as they were when they were compared. */
export interface NightlyMerge {
  readonly survivorId: MemoryId;
  /** Of all of them, the survivor too. */
  readonly revisions: readonly { readonly id: MemoryId; readonly revision: number }[];
  /** What the survivor said itself. */
  readonly before: MergeState;
  readonly content: MemoryContent;
  readonly keywords: Keywords;
}

/** Merges under a run that people can take back; what has changed since is left alone. @returns the survivors of what was merged */
export const mergeByNight = async (
  tx: Tx,
  undoRunId: string,
  merges: readonly NightlyMerge[],
): Promise<ReadonlySet<string>> => {
  const steps = merges.map(({ survivorId, revisions, before, content, keywords }) => ({
    ...{ survivorId, revisions, before },
    said: { ...saidOf(content), keywords: toTsvectorLiteral(keywords), keywordCount: keywords.length },
  }));
  const [row] = await tx.$queryRaw<{ done: string[] }[]>`
    select merge_memories(${undoRunId}::uuid, ${JSON.stringify(steps)}::jsonb) as done`;
  return new Set(row?.done ?? []);
};

/** All but the words, which the survivor keeps. */
const saidOf = (content: MemoryContent): Omit<MemoryContent, 'title' | 'text' | 'kind'> => ({
  taskType: content.taskType,
  outcome: content.outcome,
  tags: content.tags,
  filesModified: content.filesModified,
  errorsResolved: content.errorsResolved,
  alternatives: content.alternatives,
  validity: content.validity,
  verification: content.verification,
  pinned: content.pinned,
  expiresAt: content.expiresAt,
});
