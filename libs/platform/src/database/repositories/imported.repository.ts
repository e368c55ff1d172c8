import { asId, type MemoryId } from '@tempera/core';
import type { Tx } from '../context.js';

/** What an imported memory was where it came from; one for each importer. */
export interface ImportKey {
  readonly tenantId: string;
  readonly userId: string;
  /** The product, such as `claude-mem`. */
  readonly origin: string;
  readonly sourceId: string;
}

/** What became of it. */
export interface ImportedRow {
  readonly memoryId: MemoryId;
  readonly contentHash: Uint8Array;
}

/** What the importer made of this source before; null: nothing, or the memory is gone. */
export const findImported = async (tx: Tx, key: ImportKey): Promise<ImportedRow | null> => {
  const rows = await tx.$queryRaw<{ memoryId: string; contentHash: Uint8Array }[]>`
    select memory_id as "memoryId", content_hash as "contentHash" from imported
    where tenant_id = ${key.tenantId}::uuid and user_id = ${key.userId}::uuid and origin = ${key.origin}
      and source_id = ${key.sourceId}`;
  const [row] = rows;
  return row === undefined ? null : { ...row, memoryId: asId(row.memoryId) };
};

/** Notes what became of a source; said again, the last holds. */
export const putImported = async (tx: Tx, key: ImportKey, row: ImportedRow, now: Date): Promise<void> => {
  await tx.$executeRaw`
    insert into imported (tenant_id, user_id, origin, source_id, content_hash, memory_id, imported_at)
    values (${key.tenantId}::uuid, ${key.userId}::uuid, ${key.origin}, ${key.sourceId}, ${Buffer.from(row.contentHash)},
      ${row.memoryId}::uuid, ${now})
    on conflict (tenant_id, user_id, origin, source_id)
      do update set content_hash = excluded.content_hash, memory_id = excluded.memory_id, imported_at = excluded.imported_at`;
};

/** Has everything that waits for the commit, such as the quota, checked now. */
export const checkAtOnce = async (tx: Tx): Promise<void> => {
  await tx.$executeRaw`set constraints all immediate`;
};
