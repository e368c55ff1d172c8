import { AppError } from '@tempera/client-kit';
import { asId, type MemoryId } from '@tempera/core';
import {
  appendAudit,
  findIdempotencyKey,
  type IdempotentRequest,
  insertIdempotencyKey,
  lockCaptures,
  lockRetirable,
  type MemoryRecord,
  type Tx,
} from '@tempera/platform';
import { z } from 'zod';
import type { Caller } from '../auth/caller.js';
import type { EmbeddedNow } from './capture-embedder.js';
import type { CloseMemory, Surroundings } from './look-around.js';
import { applyEdit, changedFields, type MemoryEdit } from './parse-edit.js';
import { NOTHING_AROUND, replaceWords } from './replace-words.js';
import { readOne, requireActive, requireChange, requireMemory } from './require-change.js';
import { requireRetirable, retire } from './retire.js';

/** A checked edit of one memory. */
export interface EditRequest {
  readonly caller: Caller;
  /** Whole or short. */
  readonly id: string;
  readonly expectedRevision: number;
  readonly edit: MemoryEdit;
  /** Digest of the arguments, to tell a repeated request from another one with the same key. */
  readonly requestHash: Uint8Array;
  readonly now: Date;
}

/** What became of an edit. */
export interface EditOutcome {
  readonly record: MemoryRecord;
  readonly changed: readonly string[];
  readonly around: Pick<Surroundings, 'near' | 'conflicts' | 'superseded'>;
}

const OPERATION = 'editMemory';
const knownResponse = z.object({ memoryId: z.uuid(), changed: z.array(z.string()) });

/** The memory that the caller is about to edit, locked. @throws AppError as {@link storeEdit} does */
export const requireEditable = async (tx: Tx, request: EditRequest): Promise<MemoryRecord> => {
  const { record } = await requireChange(tx, request.caller, request.id);
  requireActive(record);
  if (record.revision === request.expectedRevision) return record;
  throw new AppError(
    'conflict',
    'stale-revision',
    `The memory is at revision ${record.revision} by now, not ${request.expectedRevision}; look at it and edit that.`,
    { details: { revision: record.revision } },
  );
};

/**
 * Edits one memory, all or nothing: the old text becomes a revision, the new one is searchable, evidence, vectors and links
 * follow. @param embedded vectors of the new words; null where the words stay
 * @throws AppError `not-found`, `forbidden`, `conflict` for another revision, what is archived, or a key used otherwise
 */
export const storeEdit = async (tx: Tx, request: EditRequest, embedded: EmbeddedNow | null): Promise<EditOutcome> => {
  const { caller, now } = request;
  await lockCaptures(tx, caller.tenantId, caller.userId);
  const known = await findRepeatedEdit(tx, request);
  if (known !== null) return known;
  await lockBoth(tx, request);
  const record = await requireEditable(tx, request);
  const content = applyEdit(record, request.edit);
  const superseded = await namedAsSuperseded(tx, request, { ...record, ...content });
  const fields = changedFields(record, content);
  const around = fields.length === 0 ? NOTHING_AROUND : await replaceWords(tx, request, { record, content, embedded });
  const changed = [...fields, ...superseded.map(() => 'supersedes')];
  const key = keyOf(request);
  if (key !== null) await insertIdempotencyKey(tx, key, { memoryId: record.id, changed }, now);
  const edited = await readOne(tx, caller, record.id);
  if (fields.length > 0 && record.scope !== 'private') {
    const details = { fields: fields.join(' '), revision: edited.revision };
    await appendAudit(tx, { action: 'memory.edited', subjectKind: 'memory', subjectId: record.id, details });
  }
  await retire(tx, caller, edited, superseded, now);
  const gone = new Set(superseded.map(({ record: { id } }) => id));
  const conflicts = around.conflicts.filter(({ record: { id } }) => !gone.has(id));
  return { record: edited, changed, around: { near: around.near, conflicts, superseded } };
};

/** In one order, so that of two memories that shall take each other's place one edit comes first and the other is refused. */
const lockBoth = async (tx: Tx, { caller, id, edit }: EditRequest): Promise<void> => {
  if (edit.supersedes === null) return;
  const [one, other] = [await requireMemory(tx, caller, id), await requireMemory(tx, caller, edit.supersedes)];
  await lockRetirable(tx, caller.tenantId, [one.id, other.id]);
};

/** What the caller says that the memory takes the place of. */
const namedAsSuperseded = async (
  tx: Tx,
  { caller, edit, now }: EditRequest,
  next: MemoryRecord,
): Promise<CloseMemory[]> =>
  edit.supersedes === null ? [] : [await requireRetirable(tx, caller, edit.supersedes, next, now)];

const keyOf = ({ caller, edit, requestHash }: EditRequest): IdempotentRequest | null =>
  edit.idempotencyKey === null
    ? null
    : {
        tenantId: caller.tenantId,
        userId: caller.userId,
        key: edit.idempotencyKey,
        operation: OPERATION,
        requestHash,
      };

/** What the same request did before; null where it is new. @throws AppError `conflict` for a key that was used otherwise */
export const findRepeatedEdit = async (tx: Tx, request: EditRequest): Promise<EditOutcome | null> => {
  const key = keyOf(request);
  const known = key === null ? null : await findIdempotencyKey(tx, key);
  if (known === null) return null;
  if (!known.isSame) {
    throw new AppError('conflict', 'key-reused', 'This idempotency key was used for another request.');
  }
  const { memoryId, changed } = knownResponse.parse(known.response);
  return { record: await readOne(tx, request.caller, asId<MemoryId>(memoryId)), changed, around: NOTHING_AROUND };
};
