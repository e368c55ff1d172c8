import { AppError } from '@tempera/client-kit';
import { belongTogether, findConflicts, type MemoryId, type ProjectId } from '@tempera/core';
import {
  appendAudit,
  archiveMerged,
  type ClusterMember,
  insertUpkeepRun,
  joinContent,
  type Joining,
  joinMemory,
  lockCaptures,
  lockMemories,
  type MemoryRecord,
  type MergeStep,
  ownState,
  readMemories,
  readMergeable,
  readSurvivors,
  toMember,
  type Tx,
  type UpkeepKind,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { searchable } from '../memories/keep-memory.js';
import { maintainersOnly } from './upkeep-scope.js';

export interface MergeRequest {
  readonly caller: Caller;
  readonly kind: UpkeepKind;
  /** The project that shares them; null for all others. */
  readonly projectId: ProjectId | null;
  /** Others see them: the tenant's log says so. */
  readonly isShared: boolean;
  readonly joinings: readonly Joining[];
  /** The revisions whose texts were compared; another one in between makes it void. */
  readonly revisions: ReadonlyMap<MemoryId, number>;
  readonly now: Date;
}

/** What was merged. */
export interface Merged {
  /** By which it is undone; null where nothing was left to merge. */
  readonly runId: string | null;
  readonly joinings: readonly Joining[];
}

/**
 * Merges what was found to say the same, under the caller's own identity, in one transaction. What changed since it was
 * compared is left alone. @throws AppError `forbidden` for who does not maintain all of it
 */
export const mergeClusters = async (tx: Tx, request: MergeRequest): Promise<Merged> => {
  const { caller, kind, projectId, now } = request;
  const { tenantId, userId } = caller;
  const records = await lockAll(tx, request);
  const joinings = request.joinings.filter((joining) => idsOf([joining]).every((id) => records.has(id)));
  if (joinings.length === 0) return { runId: null, joinings };
  const survivors = await readSurvivors(
    tx,
    tenantId,
    joinings.map(({ survivorId }) => survivorId),
  );
  const steps: MergeStep[] = [];
  for (const joining of joinings) {
    const before = survivors.get(joining.survivorId);
    if (before === undefined) throw changedMeanwhile();
    await joinInto(tx, request, records, joining);
    const own = ownState(before);
    steps.push({ ...joining, before: joining.isNew === true ? { ...own, isNew: true } : own });
  }
  const runId = await insertUpkeepRun(tx, { tenantId, kind, projectId, madeBy: userId });
  if (!(await archiveMerged(tx, tenantId, runId, steps, now))) throw changedMeanwhile();
  if (request.isShared) {
    const details = { kind, survivors: steps.length, merged: idsOf(joinings).length - steps.length };
    await appendAudit(tx, { action: 'memories.merged', subjectKind: 'upkeep-run', subjectId: runId, details });
  }
  return { runId, joinings };
};

const idsOf = (joinings: readonly Joining[]): MemoryId[] =>
  joinings.flatMap(({ survivorId, mergedIds }) => [survivorId, ...mergedIds]);

/**
 * Waits for captures in hand, which could otherwise go into a memory that is being put away, then holds all memories. Locks
 * are taken in one order by everybody. @returns those that are as they were when they were compared
 */
const lockAll = async (tx: Tx, { caller, joinings, revisions }: MergeRequest): Promise<Map<MemoryId, MemoryRecord>> => {
  const { tenantId } = caller;
  const ids = idsOf(joinings);
  const owners = new Set([...(await readMemories(tx, tenantId, ids)).values()].map(({ ownerId }) => ownerId));
  for (const owner of [...owners].sort()) await lockCaptures(tx, tenantId, owner);
  const locked = await lockMemories(tx, tenantId, ids);
  const records = await readMemories(tx, tenantId, ids);
  for (const [id, { state, revision }] of records) {
    if (locked.get(id) !== true) throw maintainersOnly();
    if (state !== 'active' || revision !== revisions.get(id)) records.delete(id);
  }
  return records;
};

const joinInto = async (
  tx: Tx,
  { caller, now }: MergeRequest,
  records: ReadonlyMap<MemoryId, MemoryRecord>,
  { survivorId, mergedIds }: Joining,
): Promise<void> => {
  const survivor = records.get(survivorId);
  if (survivor === undefined) throw changedMeanwhile();
  const content = joinContent(
    survivor,
    mergedIds.flatMap((id) => records.get(id) ?? []),
  );
  const { keywords } = searchable(content, { isComplete: survivor.embeddingState === 'ready' });
  const joined = { ...content, keywords, tenantId: caller.tenantId, id: survivorId, revision: survivor.revision, now };
  if (!(await joinMemory(tx, joined))) throw changedMeanwhile();
};

export const changedMeanwhile = (): AppError =>
  new AppError('conflict', 'changed-meanwhile', 'One of the memories changed meanwhile; look at what there is now.');

/** Memories that somebody chose to merge: any that may be one, near or not. @throws AppError `conflict` that names what keeps two apart */
export const readChosen = async (
  tx: Tx,
  caller: Caller,
  ids: readonly MemoryId[],
  now: Date,
): Promise<ClusterMember[]> => {
  const members = (await readMergeable(tx, caller.tenantId, ids, now)).map(toMember);
  if (members.length < ids.length) {
    throw new AppError('conflict', 'not-active', 'Only memories in use are merged: restore what is archived or over.');
  }
  for (const [n, one] of members.entries()) for (const other of members.slice(n + 1)) checkPair(one, other);
  return members;
};

const checkPair = (one: ClusterMember, other: ClusterMember): void => {
  const name = `${one.id.slice(0, 8)} and ${other.id.slice(0, 8)}`;
  if (!belongTogether(one, other)) {
    const message = `${name} are not merged: they differ in who sees them, in kind, or in how the work ended.`;
    throw new AppError('conflict', 'not-alike', message);
  }
  const kinds = findConflicts(one.fullText, other.fullText).map(({ kind }) => kind);
  if (kinds.length === 0) return;
  const message = `${name} are not merged: they differ in ${kinds.join(', ')}. Edit one first, or forget it.`;
  throw new AppError('conflict', 'guarded', message, { details: { differences: kinds } });
};
