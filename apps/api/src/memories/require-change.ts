import { AppError } from '@tempera/client-kit';
import type { MemoryId } from '@tempera/core';
import { lockMemory, type MemoryRecord, readMemories, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { resolveId } from './memories.service.js';
import { noSuchMemory } from './no-such-memory.js';

/** A memory that the caller may change, locked until the transaction ends. */
export interface ChangeableMemory {
  readonly record: MemoryRecord;
  /** Answers for its audience: may pin it. */
  readonly maintains: boolean;
}

/** The memory with this id or short id, as the caller sees it. @throws AppError `not-found`, the same for hidden and missing */
export const requireMemory = async (tx: Tx, caller: Caller, id: string): Promise<MemoryRecord> => {
  const memoryId = await resolveId(tx, caller, id);
  if (memoryId === null) throw noSuchMemory();
  return readOne(tx, caller, memoryId);
};

/** @throws AppError `not-found` unless the caller sees it, `forbidden` unless they may change it */
export const requireChange = async (tx: Tx, caller: Caller, id: string): Promise<ChangeableMemory> => {
  const { id: memoryId } = await requireMemory(tx, caller, id);
  const locked = await lockMemory(tx, caller.tenantId, memoryId);
  if (locked === null) throw notYours();
  return { record: await readOne(tx, caller, memoryId), maintains: locked.maintains };
};

/** @throws AppError `not-found` */
export const readOne = async (tx: Tx, caller: Pick<Caller, 'tenantId'>, id: MemoryId): Promise<MemoryRecord> => {
  const record = (await readMemories(tx, caller.tenantId, [id])).get(id);
  if (record === undefined) throw noSuchMemory();
  return record;
};

/** Only to who sees the memory. */
export const notYours = (): AppError =>
  new AppError(
    'forbidden',
    'not-yours',
    'Only its author, while they may capture there, or who maintains what it is shared with changes this memory.',
  );

/** @throws AppError `conflict` unless the memory is in use */
export const requireActive = ({ state, mergedInto }: MemoryRecord): void => {
  if (state === 'active') return;
  if (mergedInto !== null)
    throw new AppError('conflict', 'not-active', `The memory was merged into ${mergedInto}: change that one.`, {
      details: { state, mergedInto },
    });
  throw new AppError('conflict', 'not-active', `The memory is ${state}; restore it first.`, { details: { state } });
};
