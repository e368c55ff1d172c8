import { isAppError } from '@tempera/client-kit';
import { asId, type MemoryId } from '@tempera/core';
import {
  findImported,
  type ImportKey,
  lockCaptures,
  type MemoryRecord,
  type MemoryState,
  putImported,
  readMemories,
  setRefuted,
  setState,
  type Tx,
} from '@tempera/platform';
import { createHash } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { requireRetirable, retire } from '../memories/retire.js';
import { type CaptureRequest, storeCapture } from '../memories/store-capture.js';
import type { ImportStatus } from './import.types.js';

/** What belongs to an imported memory beside what it says. */
export interface ImportStep {
  readonly origin: string;
  readonly sourceId: string;
  readonly state: Exclude<MemoryState, 'forgotten'>;
  readonly stateReason: string | null;
  readonly supersedes: readonly string[];
  readonly supersededBy: string | null;
}

export interface ImportOutcome {
  readonly status: Exclude<ImportStatus, 'refused'>;
  readonly record: MemoryRecord;
  /** What could not be carried. */
  readonly notes: readonly string[];
}

/**
 * Takes one memory of another product in, by the rules of every capture: with its state, and with what gave way to what. What
 * was imported before and says the same is left as it is by now; so is what this tenant exported itself.
 * @throws AppError as storeCapture does
 */
export const importOne = async (tx: Tx, request: CaptureRequest, step: ImportStep): Promise<ImportOutcome> => {
  const { caller, draft, now } = request;
  // First, as a capture does: the same import twice at once waits here and finds what the other did.
  await lockCaptures(tx, caller.tenantId, caller.userId);
  const key = keyOf(caller, step.origin, step.sourceId);
  const contentHash = createHash('sha256')
    .update(JSON.stringify([draft.kind, draft.text]))
    .digest();
  const before = await findImported(tx, key);
  const there = await readOne(tx, caller, before?.memoryId ?? parseUuid(step.sourceId));
  const isSame = before === null || contentHash.equals(before.contentHash);
  if (there !== undefined && isSame) return { status: 'known', record: there, notes: [] };
  // What says something else by now is another revision of it, or a memory of its own: as of every capture.
  const stored = await storeCapture(tx, before === null ? request : { ...request, draft: { ...draft, merge: 'auto' } });
  await putImported(tx, key, { memoryId: stored.record.id, contentHash }, now);
  const record = (await readOne(tx, caller, stored.record.id)) ?? stored.record;
  if (stored.status !== 'created') return { status: 'merged', record, notes: [] };
  await setStateOf(tx, request, record, step);
  const waits = stored.proposal === null ? [] : ['Kept private; sharing it waits for a maintainer.'];
  return { status: 'kept', record, notes: [...waits, ...(await placeInTime(tx, request, record, step))] };
};

const keyOf = ({ tenantId, userId }: Caller, origin: string, sourceId: string): ImportKey => ({
  ...{ tenantId, userId, origin, sourceId },
});

const readOne = async (tx: Tx, { tenantId }: Caller, id: string | null): Promise<MemoryRecord | undefined> =>
  id === null ? undefined : (await readMemories(tx, tenantId, [asId(id)])).get(asId(id));

const setStateOf = async (
  tx: Tx,
  { caller: { tenantId }, now }: CaptureRequest,
  { id }: MemoryRecord,
  { state, stateReason }: ImportStep,
): Promise<void> => {
  if (state === 'archived') await setState(tx, { tenantId, id, now }, state, stateReason);
  if (state === 'refuted') await setRefuted(tx, { tenantId, id, now }, null, stateReason);
};

/** Has what gave way give way here too, in whichever order the two come. @returns what could not be done */
const placeInTime = async (
  tx: Tx,
  request: CaptureRequest,
  record: MemoryRecord,
  { origin, supersedes, supersededBy, state }: ImportStep,
): Promise<string[]> => {
  if (state !== 'active') return [];
  const { caller } = request;
  const notes: string[] = [];
  for (const sourceId of supersedes) {
    const older = await findImported(tx, keyOf(caller, origin, sourceId));
    if (older !== null) notes.push(...(await giveWay(tx, request, older.memoryId, record)));
  }
  const newer = supersededBy === null ? null : await findImported(tx, keyOf(caller, origin, supersededBy));
  const successor = newer === null ? undefined : await readOne(tx, caller, newer.memoryId);
  if (successor !== undefined) notes.push(...(await giveWay(tx, request, record.id, successor)));
  return notes;
};

const giveWay = async (
  tx: Tx,
  { caller, now }: CaptureRequest,
  olderId: MemoryId,
  newer: MemoryRecord,
): Promise<string[]> => {
  try {
    const older = await requireRetirable(tx, caller, olderId, newer, now);
    await retire(tx, caller, newer, [older], now);
    return [];
  } catch (error) {
    if (!isAppError(error)) throw error;
    // The rules of capture came to the same.
    return error.code === 'already-superseded' ? [] : [`What gave way to what was not carried: ${error.message}`];
  }
};
