import type { Tx } from '../context.js';
import type { PageOfMemories } from './page-of-memories.js';

/** Rows of a tenant that are kept for a while; for how long, the database says. */
export const PURGED_KINDS = [
  'questions',
  'turns',
  'conversations',
  'injections',
  'keys',
  'promises',
  'refreshes',
  'tokens',
  'logins',
  'invitations',
  'buckets',
  'snapshots',
  'pages',
  'changes',
  'runs',
  'health',
] as const;
export type PurgedKind = (typeof PURGED_KINDS)[number];

/** A memory that is due to be erased for good, and why. */
export interface ErasableMemory {
  readonly id: string;
  readonly reason: 'forgotten' | 'archived' | 'owner-left';
}

export const pageOfErasable = async (tx: Tx, { after, limit, without }: PageOfMemories): Promise<ErasableMemory[]> => {
  const rows = await tx.$queryRaw<ErasableMemory[]>`
    select id, reason from list_erasable(${after}::uuid, ${limit + without.length}::int)
    where id <> all (${[...without]}::uuid[]) order by id limit ${limit}::int`;
  return rows;
};

/** Erases those that are due, with all that points at them. @returns how many */
export const eraseMemories = async (tx: Tx, ids: readonly string[]): Promise<number> => {
  const [row] = await tx.$queryRaw<{ count: number }[]>`select erase_memories(${[...ids]}::uuid[]) as count`;
  return row?.count ?? 0;
};

/** Clears or deletes at most so many rows of one kind that are due. @returns how many; of a dry run all that are due */
export const purgeRows = async (
  tx: Tx,
  kind: PurgedKind,
  { limit, isDry }: { readonly limit: number; readonly isDry: boolean },
): Promise<number> => {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    select purge_rows(${kind}, ${limit}::int, ${isDry}) as count`;
  return row?.count ?? 0;
};
