import { asId, type MemoryId, type TenantId, type UserId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { SearchRequest } from '../../search/search-request.js';
import type { Tx } from '../context.js';
import type { WrittenAs } from './memory-record.js';
import { filterConditions, knownAt } from './retrieval-searched.js';

/** What a memory said at a moment, where it says something else by now. */
export interface TextThen {
  readonly id: MemoryId;
  readonly revision: number;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly filesModified: readonly string[];
  readonly authorId: UserId;
  readonly writtenAs: WrittenAs;
}

/** Their words are read one by one; more of them would keep others waiting. */
const MAX_TEXTS = 500;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Texts that memories had at a moment and have no more, of what the caller may see: a past text is there for those who saw
 * it while it stood. The latest to change first, as many as can be read at once.
 */
export async function findTextsThen(
  tx: Tx,
  { tenantId, filter }: Pick<SearchRequest, 'tenantId' | 'filter'>,
  asOf: Date,
): Promise<TextThen[]> {
  return readTexts(
    tx,
    Prisma.sql`m.tenant_id = ${tenantId}::uuid and ${knownAt(asOf)} ${filterConditions(filter)}`,
    asOf,
  );
}

/** The same of certain memories, by id; those that say the same still are not among them. */
export async function readTextsThen(
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
  asOf: Date,
): Promise<Map<MemoryId, TextThen>> {
  if (ids.length === 0) return new Map();
  const texts = await readTexts(
    tx,
    Prisma.sql`m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[])`,
    asOf,
  );
  return new Map(texts.map((text) => [text.id, text]));
}

async function readTexts(tx: Tx, memories: Prisma.Sql, asOf: Date): Promise<TextThen[]> {
  const rows = await tx.$queryRaw<
    {
      id: string;
      revision: number;
      title: string;
      text: string;
      tags: string[];
      files_modified: string[];
      author_id: string;
      reason: string;
    }[]
  >`
    select * from (
      select m.id, r.revision, r.title, r.text, r.tags, r.files_modified, r.author_id, r.reason, r.created_at,
        sum(octet_length(r.text)) over (order by r.created_at desc, m.id) as bytes
      from memory m join revision r on r.tenant_id = m.tenant_id and r.memory_id = m.id
      where ${memories} and m.text_since > ${asOf} and r.since <= ${asOf} and r.created_at > ${asOf}
    ) t
    where t.bytes <= ${MAX_BYTES} order by t.created_at desc, t.id limit ${MAX_TEXTS}`;
  return rows.map((row) => ({
    id: asId(row.id),
    revision: row.revision,
    title: row.title,
    text: row.text,
    tags: row.tags,
    filesModified: row.files_modified,
    authorId: asId(row.author_id),
    writtenAs: row.reason as WrittenAs,
  }));
}
