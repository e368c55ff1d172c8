import { AppError } from '@tempera/client-kit';
import { asId, type MemoryId, type SessionId } from '@tempera/core';
import {
  findIdempotencyKey,
  findOrStartSession,
  type IdempotentRequest,
  insertIdempotencyKey,
  lockCaptures,
  type MemoryRecord,
  readMemories,
  readSettings,
  type Tx,
} from '@tempera/platform';
import { z } from 'zod';
import type { Caller } from '../auth/caller.js';
import type { EmbeddedNow } from './capture-embedder.js';
import { type CloseMemory, lookAround } from './look-around.js';
import type { CaptureStatus } from './memory.enums.js';
import { noSuchMemory } from './no-such-memory.js';
import type { CaptureDraft } from './parse-capture.js';
import { placeCapture } from './place-capture.js';
import { keepMemory } from './keep-memory.js';

/** A checked capture with its vectors: all that the database needs to know. */
export interface CaptureRequest {
  readonly caller: Caller;
  readonly draft: CaptureDraft;
  readonly embedded: EmbeddedNow;
  /** Digest of the arguments, to tell a repeated request from another one with the same key. */
  readonly requestHash: Uint8Array;
  readonly now: Date;
}

/** What became of a capture. */
export interface CaptureOutcome {
  readonly status: CaptureStatus;
  readonly record: MemoryRecord;
  readonly sessionId: SessionId | null;
  /** Other memories that it lies near. */
  readonly near: readonly CloseMemory[];
  readonly conflicts: readonly CloseMemory[];
}

const OPERATION = 'capture';
const knownResponse = z.object({ memoryId: z.uuid(), sessionId: z.uuid() });

/**
 * Stores one capture: session, memory or next revision, vectors or the promise of them, links and the client's key, all or
 * nothing; one that is known already leaves no more than a proof. @throws AppError `conflict` for a key that was used for another request, and what {@link placeCapture} throws
 */
export const storeCapture = async (tx: Tx, request: CaptureRequest): Promise<CaptureOutcome> => {
  const { caller, draft, embedded, now } = request;
  await lockCaptures(tx, caller.tenantId, caller.userId);
  const key = keyOf(request);
  const known = key === null ? null : await findRepeated(tx, caller, key);
  if (known !== null) return known;
  const place = await placeCapture(tx, caller, draft);
  const sessionId = await findOrStartSession(tx, {
    tenantId: caller.tenantId,
    userId: caller.userId,
    projectId: place.workProjectId,
    clientKey: draft.sessionKey,
    at: draft.endedAt,
  });
  const audience = { scope: place.scope, ownerId: caller.userId, projectId: place.projectId, groupId: null };
  const { storage } = await readSettings(tx, caller.tenantId, place.workProjectId);
  const around = await lookAround(tx, {
    caller,
    audience,
    content: draft,
    embeddings: embedded.embeddings,
    mayMerge: draft.merge === 'auto',
    thresholds: { merge: storage.consolidationThreshold, cluster: storage.clusterThreshold },
    now,
  });
  const { id, status } = await keepMemory(tx, { caller, draft, embedded, audience, sessionId, around, now });
  if (key !== null) await insertIdempotencyKey(tx, key, { memoryId: id, sessionId }, now);
  const { near, conflicts } = around;
  return { status, record: await readOne(tx, caller, id), sessionId, near, conflicts };
};

const keyOf = ({ caller, draft, requestHash }: CaptureRequest): IdempotentRequest | null =>
  draft.idempotencyKey === null
    ? null
    : {
        tenantId: caller.tenantId,
        userId: caller.userId,
        key: draft.idempotencyKey,
        operation: OPERATION,
        requestHash,
      };

const findRepeated = async (tx: Tx, caller: Caller, key: IdempotentRequest): Promise<CaptureOutcome | null> => {
  const known = await findIdempotencyKey(tx, key);
  if (known === null) return null;
  if (!known.isSame) {
    throw new AppError('conflict', 'key-reused', 'This idempotency key was used for another request.');
  }
  const { memoryId, sessionId } = knownResponse.parse(known.response);
  const record = await readOne(tx, caller, asId<MemoryId>(memoryId));
  return { status: 'repeated', record, sessionId: asId<SessionId>(sessionId), near: [], conflicts: [] };
};

const readOne = async (tx: Tx, caller: Caller, id: MemoryId): Promise<MemoryRecord> => {
  const record = (await readMemories(tx, caller.tenantId, [id])).get(id);
  if (record === undefined) throw noSuchMemory();
  return record;
};
