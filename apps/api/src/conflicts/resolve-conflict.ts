import { AppError } from '@tempera/client-kit';
import type { MemoryId } from '@tempera/core';
import {
  appendAudit,
  audienceName,
  type ConflictChoice,
  type ConflictLink,
  findConflict,
  findMergeRun,
  liftSupersession,
  lockCaptures,
  lockMaintained,
  type MemoryRecord,
  readMemories,
  readRevisions,
  setResolution,
  supersede,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { refuse } from '../memories/check-input.js';
import { readOne, requireActive, requireMemory } from '../memories/require-change.js';
import { hasExpired } from '../memories/retire.js';
import { undoRun } from '../upkeep/undo-run.js';
import type { ConflictResolution } from './conflict.types.js';
import { type JointWords, mergeSides } from './merge-sides.js';

export interface ResolveRequest {
  readonly caller: Caller;
  /** Whole or short ids. */
  readonly first: string;
  readonly second: string;
  readonly resolution: ConflictResolution;
  readonly reason: string | null;
  /** What a merge shall say; null: the newer text. */
  readonly words: JointWords | null;
  readonly now: Date;
}

export interface ResolvedConflict {
  readonly link: ConflictLink;
  readonly records: ReadonlyMap<MemoryId, MemoryRecord>;
  /** By which a merge is undone. */
  readonly runId: string | null;
}

/** Decides one conflict, or takes the decision back; the same decision again changes nothing. */
export const resolveConflict = async (tx: Tx, request: ResolveRequest): Promise<ResolvedConflict> => {
  const { caller, resolution } = request;
  const { tenantId } = caller;
  const both = [
    await requireMemory(tx, caller, request.first),
    await requireMemory(tx, caller, request.second),
  ] as const;
  const [{ id: first }, { id: second }] = both;
  // A merge waits for captures in hand, before it holds memories like everybody else.
  const owners = resolution === 'merge' ? new Set(both.map(({ ownerId }) => ownerId)) : [];
  if (first === second) throw refuse('one-memory', 'A conflict is between two memories.');
  for (const owner of [...owners].sort()) await lockCaptures(tx, tenantId, owner);
  const maintained = await lockMaintained(tx, tenantId, [first, second]);
  const link = await findConflict(tx, tenantId, first, second);
  if (link === null) throw noSuchConflict();
  if (maintained.size < 2) throw maintainersResolve();
  const choice = choiceOf(resolution, link, first);
  if (!(await isDecidedSo(tx, request, link, choice))) {
    await (choice === null ? reopen(tx, request, link) : decide(tx, request, link, choice));
    await auditDecision(tx, request, [await readOne(tx, caller, first), await readOne(tx, caller, second)]);
  }
  const decided = await findConflict(tx, tenantId, first, second);
  const runId = decided?.resolution === 'merged' ? await findMergeRun(tx, tenantId, [first, second]) : null;
  return { link: decided ?? link, records: await readMemories(tx, tenantId, [first, second]), runId };
};

/** Whether nothing is left to do: both stand, or the same was decided before, for a merge with the same words. */
const isDecidedSo = async (
  tx: Tx,
  { caller, words }: ResolveRequest,
  link: ConflictLink,
  choice: ConflictChoice | null,
): Promise<boolean> => {
  if (link.resolution !== choice) return false;
  if (choice !== null && choice !== 'merged') return true;
  const sides = [await readOne(tx, caller, link.from), await readOne(tx, caller, link.to)];
  if (choice === null) return sides.every((side) => side.mergedInto === null && side.supersededAt === null);
  const into = sides.flatMap(({ mergedInto }) => mergedInto ?? []).find((id) => id !== link.from && id !== link.to);
  if (words === null || into === undefined) return words === null && into === undefined;
  const made = await readOne(tx, caller, into);
  if (made.text === words.text) return true;
  const revisions = await readRevisions(tx, caller.tenantId, [into], made.revision);
  return revisions.at(-1)?.text === words.text;
};

/** Names of the two only what others see, too: an admin learns of no private memory. */
const auditDecision = async (
  tx: Tx,
  { resolution }: Pick<ResolveRequest, 'resolution'>,
  both: readonly [MemoryRecord, MemoryRecord],
): Promise<void> => {
  const [subject, other] = both.filter(({ scope }) => scope !== 'private');
  if (subject === undefined) return;
  const action = resolution === 'reopen' ? 'conflict.reopened' : 'conflict.resolved';
  const details = { ...(other === undefined ? {} : { with: other.id }), resolution };
  await appendAudit(tx, { action, subjectKind: 'memory', subjectId: subject.id, details });
};

/** The choice as the link says it, whose ends are not in the caller's order. */
const choiceOf = (resolution: ConflictResolution, { from }: ConflictLink, first: MemoryId): ConflictChoice | null => {
  if (resolution === 'reopen') return null;
  if (resolution === 'keep_both') return 'keep_both';
  if (resolution === 'merge') return 'merged';
  return (resolution === 'keep_first') === (from === first) ? 'keep_from' : 'keep_to';
};

const decide = async (
  tx: Tx,
  { caller, reason, words, now }: ResolveRequest,
  link: ConflictLink,
  choice: ConflictChoice,
): Promise<void> => {
  const { tenantId } = caller;
  if (link.resolution !== null) throw decidedBefore();
  const [from, to] = [await readOne(tx, caller, link.from), await readOne(tx, caller, link.to)];
  for (const side of [from, to]) {
    requireActive(side);
    if (side.supersededAt !== null) throw decidedBefore();
    if (hasExpired(side, now)) throw expired();
  }
  await setResolution(tx, tenantId, link, choice, reason);
  if (choice === 'keep_both') return;
  if (choice === 'merged') return mergeSides(tx, { caller, sides: [from, to], words, now });
  if (audienceName(from) !== audienceName(to)) throw otherPeople();
  const [kept, retired] = choice === 'keep_from' ? [from, to] : [to, from];
  await supersede(tx, { tenantId, older: retired.id, newer: kept.id, now });
};

/** Takes back what was decided, and what of a merge somebody left. @throws AppError `conflict` where one does not stand then */
const reopen = async (tx: Tx, request: ResolveRequest, link: ConflictLink): Promise<void> => {
  await takeBack(tx, request, link);
  for (const id of [link.from, link.to]) requireActive(await readOne(tx, request.caller, id));
};

/** A trigger opens the conflict with the memory that stands again, or is part of nothing any more. */
const takeBack = async (tx: Tx, { caller, now }: ResolveRequest, link: ConflictLink): Promise<void> => {
  const [from, to] = [await readOne(tx, caller, link.from), await readOne(tx, caller, link.to)];
  if (from.supersededBy === to.id) return liftSupersession(tx, caller.tenantId, from.id, now);
  if (to.supersededBy === from.id) return liftSupersession(tx, caller.tenantId, to.id, now);
  if (from.mergedInto !== null || to.mergedInto !== null) return undoMerge(tx, caller, link, now);
  return setResolution(tx, caller.tenantId, link, null, null);
};

const undoMerge = async (tx: Tx, caller: Caller, { from, to }: ConflictLink, now: Date): Promise<void> => {
  const runId = await findMergeRun(tx, caller.tenantId, [from, to]);
  if (runId === null) throw maintainersResolve();
  await undoRun(tx, caller, runId, now);
};

export const noSuchConflict = (): AppError =>
  new AppError('not-found', 'no-such-conflict', 'These two are not noted as a conflict.');

export const maintainersResolve = (): AppError =>
  new AppError(
    'forbidden',
    'maintainers-resolve',
    'Who maintains what both memories are shared with decides; of private ones, their owner.',
  );

const decidedBefore = (): AppError =>
  new AppError('conflict', 'conflict-decided', 'It was decided otherwise before; reopen it first.');

const expired = (): AppError =>
  new AppError('conflict', 'expired', 'One of the two has expired: it contradicts nothing any more.');

const otherPeople = (): AppError =>
  new AppError(
    'conflict',
    'other-audience',
    'A memory takes the place of one that exactly the same people see; share or demote one of the two first, or keep both.',
  );
