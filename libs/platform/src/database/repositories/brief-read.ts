import { asId, type MemoryId, type TaskType, type TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { SearchFilter } from '../../search/search-request.js';
import type { Tx } from '../context.js';
import type { ErrorResolution } from './memory-record.js';
import { searchConditions, touchesFile } from './retrieval-searched.js';

/** Where a brief looks: what the caller may see, that has neither expired nor been superseded. */
export interface BriefScope {
  readonly tenantId: TenantId;
  readonly filter: SearchFilter;
  readonly now: Date;
}

/** What a task is about, beside its words. */
export interface BriefSubject {
  readonly files: readonly string[];
  /** A tag, in whatever case. */
  readonly domain: string | null;
  readonly taskType: TaskType | null;
}

/** A memory that has to do with the subject of a task. */
export interface BriefCandidate {
  readonly id: MemoryId;
  readonly byFile: boolean;
  readonly byDomain: boolean;
  readonly byType: boolean;
}

/**
 * Facts, and work that rejected alternatives, that tell of the files, bear the domain's tag or are of the type; and open
 * todos, whatever they are about. The newest, at most `limit`.
 */
export const findBriefed = async (
  tx: Tx,
  scope: BriefScope,
  { files, domain, taskType }: BriefSubject,
  limit: number,
): Promise<BriefCandidate[]> => {
  const byFile = files.length === 0 ? Prisma.sql`false` : touchesFile(files);
  return tx.$queryRaw<BriefCandidate[]>`
    select id, "byFile", "byDomain", "byType" from (
      select m.id, m.kind, m.ended_at, ${byFile} as "byFile",
        exists (select from unnest(m.tags) as tag where lower(tag) = lower(${domain})) as "byDomain",
        coalesce(m.task_type = ${taskType}, false) as "byType"
      from memory m
      where ${searchConditions(scope)}
        and (m.kind in ('correction', 'question', 'decision', 'todo') or m.alternatives <> '[]')
    ) told
    where kind = 'todo' or "byFile" or "byDomain" or "byType"
    order by "byFile" desc, "byDomain" desc, ended_at desc, id limit ${limit}`;
};

/** Memories that tell of errors in some of these words, with those errors; the newest, at most `limit`. */
export const findErrorsInWords = async (
  tx: Tx,
  scope: BriefScope,
  words: readonly string[],
  limit: number,
): Promise<{ id: MemoryId; errors: ErrorResolution[] }[]> => {
  if (words.length === 0) return [];
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const rows = await tx.$queryRaw<{ id: string; errors: ErrorResolution[] }[]>`
    select m.id, m.errors_resolved as errors from memory m
    where ${searchConditions(scope)} and m.errors_resolved <> '[]'
      and lower(m.errors_resolved::text) like any (${patterns}::text[])
    order by m.ended_at desc, m.id limit ${limit}`;
  return rows.map(({ id, errors }) => ({ id: asId<MemoryId>(id), errors }));
};

/** What the corrections are mostly about: their tags, the most frequent first. */
export const correctionCategories = (
  tx: Tx,
  scope: BriefScope,
  limit: number,
): Promise<{ name: string; count: number }[]> =>
  tx.$queryRaw<{ name: string; count: number }[]>`
    select tag as name, count(*)::int as count from memory m, unnest(m.tags) as tag
    where ${searchConditions(scope)} and m.kind = 'correction'
    group by tag order by count(*) desc, tag limit ${limit}`;
