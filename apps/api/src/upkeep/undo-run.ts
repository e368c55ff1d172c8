import { AppError } from '@tempera/client-kit';
import type { MemoryId } from '@tempera/core';
import {
  appendAudit,
  findProjectAccessById,
  findUpkeepRun,
  readMemories,
  readSurvivors,
  readUpkeepEffects,
  setState,
  type Tx,
  undoUpkeepRun,
  type UpkeepRun,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { maintainersOnly } from './upkeep-scope.js';
import type { Undone } from './upkeep.types.js';

const SHORT_ID = /^[0-9a-f]{8}$/i;

/**
 * Brings back what a run archived and what nobody touched since; votes, edits and captures since then stay. May be repeated.
 * @throws AppError `not-found`, `forbidden` for who no longer maintains the project
 */
export const undoRun = async (tx: Tx, caller: Caller, given: string, now: Date): Promise<Undone> => {
  const { tenantId, userId } = caller;
  const run = await requireRun(tx, caller, given);
  const effects = await readUpkeepEffects(tx, tenantId, run.id);
  const archived = effects.filter(({ action }) => action !== 'joined').map(({ memoryId }) => memoryId);
  if (run.undoneAt !== null) return { runId: run.id, restoredIds: [], skippedIds: archived };
  const restored = await undoUpkeepRun(tx, tenantId, run, userId, now);
  const kept: MemoryId[] = [];
  for (const { memoryId, isNew } of effects) {
    if (isNew && !(await putAwayMade(tx, caller, memoryId, now))) kept.push(memoryId);
  }
  if (run.projectId !== null) {
    const details = { kind: run.kind, memories: restored.length };
    await appendAudit(tx, { action: 'upkeep.undone', subjectKind: 'upkeep-run', subjectId: run.id, details });
  }
  const back = new Set(restored);
  return { runId: run.id, restoredIds: restored, skippedIds: [...archived.filter((id) => !back.has(id)), ...kept] };
};

/**
 * What was made for the merge goes with it, also where somebody edited it since: archived, nothing of that is lost. It stays
 * where something else was merged into it, which would be out of answers with it. @returns whether it is out of use
 */
const putAwayMade = async (tx: Tx, { tenantId }: Caller, id: MemoryId, now: Date): Promise<boolean> => {
  const record = (await readMemories(tx, tenantId, [id])).get(id);
  if (record?.state !== 'active') return true;
  const parts = (await readSurvivors(tx, tenantId, [id])).get(id)?.parts ?? [];
  if (parts.length > 0) return false;
  await setState(tx, { tenantId, id, now }, 'archived', 'the merge that made it was undone');
  return true;
};

const requireRun = async (tx: Tx, { tenantId }: Caller, given: string): Promise<UpkeepRun> => {
  const id = SHORT_ID.test(given.trim()) ? given.trim().toLowerCase() : parseUuid(given.trim());
  const run = id === null ? null : await findUpkeepRun(tx, tenantId, id);
  if (run === null) throw new AppError('not-found', 'no-such-run', 'No such merge or cleanup of yours.');
  if (run.projectId === null) return run;
  const project = await findProjectAccessById(tx, tenantId, run.projectId);
  if (project?.mayMaintain !== true) throw maintainersOnly();
  return run;
};
