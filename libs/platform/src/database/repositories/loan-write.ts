import type { MemoryId } from '@tempera/core';
import type { Tx } from '../context.js';

/**
 * Before a ballot: holds the scores it may change, those of the memories and of what lies around them, in one order for
 * everybody, so that no two voters wait for each other.
 */
export async function holdLending(tx: Tx, memoryIds: readonly MemoryId[]): Promise<void> {
  await tx.$queryRaw`/* kept */ select 1 as held from (select hold_lending(${[...memoryIds]}::uuid[])) h`;
}

/** After a ballot: what the caller's helpful votes have made or strengthened lends to what lies around it. */
export async function lendAtOnce(tx: Tx, memoryIds: readonly MemoryId[], now: Date): Promise<void> {
  await tx.$queryRaw`/* kept */ select 1 as lent from (select lend_at_once(${[...memoryIds]}::uuid[], ${now})) l`;
}

/** Lends to one memory what is proved around it; of an amount, or a lender, the caller has no say. */
export async function borrowLoans(tx: Tx, memoryId: MemoryId, now: Date): Promise<void> {
  await tx.$queryRaw`/* kept */ select 1 as borrowed from (select borrow_at_once(${memoryId}::uuid, ${now})) b`;
}
