import { AppError, type Removed } from '@tempera/client-kit';
import { asId, type MemoryId, type SessionId } from '@tempera/core';
import {
  type AudienceTarget,
  findIdempotencyKey,
  findOrStartSession,
  findPendingProposal,
  type IdempotentRequest,
  insertIdempotencyKey,
  lockCaptures,
  lockDecisions,
  type MemoryAudience,
  type MemoryRecord,
  type ProposalRecord,
  readMemories,
  readSettings,
  readTenantEncoders,
  type Tx,
} from '@tempera/platform';
import { z } from 'zod';
import type { Caller } from '../auth/caller.js';
import { requireEncoders } from '../encoders/encoders-moved.js';
import { inStage } from '../telemetry/stage.js';
import type { EmbeddedNow } from './capture-embedder.js';
import { type CloseMemory, lookAround, type Surroundings } from './look-around.js';
import type { CaptureStatus } from './memory.enums.js';
import { noSuchMemory } from './no-such-memory.js';
import type { CaptureDraft } from './parse-capture.js';
import { placeCapture } from './place-capture.js';
import { makeProposal } from '../proposals/make-proposal.js';
import { keepMemory } from './keep-memory.js';
import { findRefutedNear, findRefutedTwin } from './refuted-near.js';
import { hasExpired, requireRetirable, retire } from './retire.js';

/** A checked capture with its vectors: all that the database needs to know. */
export interface CaptureRequest {
  readonly caller: Caller;
  readonly draft: CaptureDraft;
  readonly embedded: EmbeddedNow;
  /** Digest of the arguments, to tell a repeated request from another one with the same key. */
  readonly requestHash: Uint8Array;
  /** Secrets that were taken out of the arguments. */
  readonly redacted: readonly Removed[];
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
  /** What gave way to it. */
  readonly superseded: readonly CloseMemory[];
  /** Where it was to go to a project that reviews: what waits for a maintainer. */
  readonly proposal: ProposalRecord | null;
}

const OPERATION = 'capture';
const knownResponse = z.object({ memoryId: z.uuid(), sessionId: z.uuid() });

/**
 * Stores one capture: session, memory or next revision, vectors or the promise of them, links and the client's key, all or
 * nothing; one that is known already leaves no more than a proof. @throws AppError `conflict` for a key that was used for another request, and what {@link placeCapture} throws
 */
export const storeCapture = async (tx: Tx, request: CaptureRequest): Promise<CaptureOutcome> => {
  const { caller, draft, embedded, now } = request;
  await inStage('capture', 'queue', () => lockCaptures(tx, caller.tenantId, caller.userId));
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
  const audience = { scope: place.scope, ownerId: caller.userId, projectId: place.projectId, groupId: place.groupId };
  const refuted = await findRefuted(tx, request, audience);
  if (refuted !== null) {
    if (key !== null) await insertIdempotencyKey(tx, key, { memoryId: refuted, sessionId }, now);
    return repeatOf(await readOne(tx, caller, refuted), sessionId, null);
  }
  if (draft.kind === 'decision') await lockDecisions(tx, caller.tenantId, audience);
  const named = await namedAsSuperseded(tx, request, audience);
  const prompt = draft.promptKey === null ? {} : { prompt: { sessionId, key: draft.promptKey } };
  if (embedded.encoders !== null) requireEncoders(embedded.encoders, await readTenantEncoders(tx, caller.tenantId));
  const { storage } = await readSettings(tx, caller.tenantId, place.workProjectId);
  const looking = {
    caller,
    audience,
    content: draft,
    embeddings: embedded.embeddings,
    mayMerge: draft.merge === 'auto',
    ...(named[0] === undefined ? {} : { replaces: named[0].record.id }),
    mayRetire: !hasExpired(draft, now),
    endedAt: draft.endedAt,
    thresholds: { merge: storage.consolidationThreshold, cluster: storage.clusterThreshold },
    ...prompt,
    now,
  };
  const around = await inStage('capture', 'look', () => lookAround(tx, looking));
  const saidFalse = await findRefutedNear(tx, looking);
  const keeping = { caller, draft, embedded, audience, sessionId, ...prompt, around, now };
  const { id, status } = await inStage('capture', 'keep', () => keepMemory(tx, keeping));
  if (key !== null) await insertIdempotencyKey(tx, key, { memoryId: id, sessionId }, now);
  const record = await readOne(tx, caller, id);
  const superseded = onceEach([...named, ...around.superseded]);
  await retire(tx, caller, record, superseded, now);
  // Last, because what is audited holds the tenant's chain until the commit.
  const proposal = place.toPropose === null ? null : await proposeOnce(tx, caller, id, place.toPropose);
  const left = leftOf(around, superseded);
  return { status, record, sessionId, ...left, near: [...saidFalse, ...left.near], superseded, proposal };
};

/** What was refuted does not come in again by being said again; who knows better restores it, or says that nothing is merged. */
const findRefuted = async (
  tx: Tx,
  { caller, draft: { text, merge, supersedes } }: CaptureRequest,
  audience: MemoryAudience,
): Promise<MemoryId | null> =>
  merge === 'never' || supersedes !== null ? null : findRefutedTwin(tx, caller, audience, text);

/** What the caller says that it takes the place of. */
const namedAsSuperseded = async (
  tx: Tx,
  { caller, draft, now }: CaptureRequest,
  audience: MemoryAudience,
): Promise<CloseMemory[]> =>
  draft.supersedes === null
    ? []
    : [await requireRetirable(tx, caller, draft.supersedes, { ...draft, ...audience, id: null }, now)];

const onceEach = (memories: readonly CloseMemory[]): CloseMemory[] => [
  ...new Map(memories.map((memory) => [memory.record.id, memory])).values(),
];

/** What lies around and was not retired. */
const leftOf = (
  { near, conflicts }: Surroundings,
  superseded: readonly CloseMemory[],
): Pick<Surroundings, 'near' | 'conflicts'> => {
  const gone = new Set(superseded.map(({ record }) => record.id));
  const left = (memories: readonly CloseMemory[]): CloseMemory[] =>
    memories.filter(({ record }) => !gone.has(record.id));
  return { near: left(near), conflicts: left(conflicts) };
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
  const proposal = await findPendingProposal(tx, caller.tenantId, record.id);
  return repeatOf(record, asId<SessionId>(sessionId), proposal);
};

const repeatOf = (record: MemoryRecord, sessionId: SessionId, proposal: ProposalRecord | null): CaptureOutcome => ({
  ...{ status: 'repeated', record, sessionId, proposal },
  ...{ near: [], conflicts: [], superseded: [] },
});

/** A capture that repeats what waits already asks for nothing new. */
const proposeOnce = async (
  tx: Tx,
  caller: Caller,
  memoryId: MemoryId,
  to: AudienceTarget,
): Promise<ProposalRecord | null> => {
  const waiting = await findPendingProposal(tx, caller.tenantId, memoryId);
  if (waiting !== null) return waiting;
  return makeProposal(tx, caller, memoryId, to);
};

const readOne = async (tx: Tx, caller: Caller, id: MemoryId): Promise<MemoryRecord> => {
  const record = (await readMemories(tx, caller.tenantId, [id])).get(id);
  if (record === undefined) throw noSuchMemory();
  return record;
};
