import { AppError } from '@tempera/client-kit';
import { findConflicts, type MemoryId } from '@tempera/core';
import {
  appendAudit,
  audienceName,
  fullTextOf,
  lockRetirable,
  type MemoryAudience,
  type MemoryRecord,
  supersede,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { refuse } from './check-input.js';
import type { CloseMemory } from './look-around.js';
import { inWords } from './meet.js';
import { notYours, readOne, requireActive, requireMemory } from './require-change.js';

/** What takes the place of another memory. */
export interface Successor extends MemoryAudience, Pick<MemoryRecord, 'title' | 'text' | 'endedAt' | 'expiresAt'> {
  /** Null while it is not stored. */
  readonly id: MemoryId | null;
}

/**
 * The memory that somebody says a newer one takes the place of, locked. Nobody may lose it to one that they do not see.
 * @throws AppError `invalid-input` for a successor that has expired, `not-found`, `forbidden` unless the caller may change it (and unpin it, where it is pinned), `conflict`
 * for what does not stand, what others see, or what is newer
 */
export const requireRetirable = async (
  tx: Tx,
  caller: Caller,
  id: string,
  successor: Successor,
  now: Date,
): Promise<CloseMemory> => {
  if (hasExpired(successor, now)) throw refuse('supersedes-expired', 'What has expired takes no memory’s place.');
  const { id: olderId } = await requireMemory(tx, caller, id);
  if (olderId === successor.id) throw refuse('supersedes-itself', 'A memory does not supersede itself.');
  const retirable = await lockRetirable(tx, caller.tenantId, [olderId]);
  const record = await readOne(tx, caller, olderId);
  requireActive(record);
  if (record.supersededAt !== null) throw alreadySuperseded(record);
  if (!retirable.has(olderId)) throw notYours();
  if (audienceName(record) !== audienceName(successor)) throw otherPeople();
  if (record.endedAt > successor.endedAt) throw notNewer();
  const differences = findConflicts(fullTextOf(record), fullTextOf(successor)).map(inWords);
  return { record, similarity: 1, differences };
};

/** Whether a memory says nothing any more. */
export const hasExpired = ({ expiresAt }: Pick<MemoryRecord, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/** Retires older memories for a newer one. What is shared is audited, so this comes last. */
export const retire = async (
  tx: Tx,
  caller: Pick<Caller, 'tenantId'>,
  newer: MemoryRecord,
  superseded: readonly CloseMemory[],
  now: Date,
): Promise<void> => {
  const older = superseded.filter(({ record }) => record.id !== newer.id);
  for (const { record } of older) {
    await supersede(tx, { tenantId: caller.tenantId, older: record.id, newer: newer.id, now });
  }
  if (newer.scope === 'private') return;
  for (const { record } of older) {
    const details = { supersededBy: newer.id };
    await appendAudit(tx, { action: 'memory.superseded', subjectKind: 'memory', subjectId: record.id, details });
  }
};

const alreadySuperseded = ({ supersededBy }: MemoryRecord): AppError =>
  new AppError(
    'conflict',
    'already-superseded',
    `The memory gave way to ${supersededBy ?? 'another'} already; supersede that one.`,
    { details: supersededBy === null ? {} : { supersededBy } },
  );

const otherPeople = (): AppError =>
  new AppError(
    'conflict',
    'other-audience',
    'A memory takes the place of one that exactly the same people see; share or demote one of the two first.',
  );

const notNewer = (): AppError =>
  new AppError('conflict', 'not-newer', 'The memory that would give way tells of something later than this one.');
