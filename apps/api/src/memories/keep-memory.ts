import { AppError } from '@tempera/client-kit';
import { type MemoryId, NEAREST_NEIGHBOURS, type SessionId } from '@tempera/core';
import {
  addProof,
  addsTo,
  borrowLoans,
  chooseEncoders,
  type EmbeddingState,
  ENCODER_CARDS,
  encoderNameOf,
  fullTextOf,
  keywordsOf,
  insertEmbeddings,
  insertLinks,
  insertMemory,
  joinMemory,
  type Keywords,
  type MemoryAudience,
  type MemoryContent,
  type MemoryRecord,
  mergeContent,
  type NewLink,
  notePrompt,
  promiseEmbedding,
  replaceText,
  saysTheSame,
  type SessionPrompt,
  type TenantEncoders,
  type TextEmbedding,
  type Tx,
} from '@tempera/platform';
import { createHash } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import type { EmbeddedNow } from './capture-embedder.js';
import type { CloseMemory, Surroundings } from './look-around.js';
import type { CaptureStatus } from './memory.enums.js';
import type { CaptureDraft } from './parse-capture.js';

export interface KeepRequest {
  readonly caller: Caller;
  readonly draft: CaptureDraft;
  readonly embedded: EmbeddedNow;
  readonly audience: MemoryAudience;
  readonly sessionId: SessionId;
  readonly prompt?: SessionPrompt;
  readonly around: Surroundings;
  readonly now: Date;
}

/** What became of a capture. `repeated`: all of it was known. */
export interface KeptMemory {
  readonly id: MemoryId;
  readonly status: CaptureStatus;
}

/**
 * Stores the memory with vectors and links, or merges it into the one it repeats: another wording as its next revision; the
 * same text adds what else it knows, and where that is nothing it only counts as said again.
 */
export const keepMemory = async (tx: Tx, request: KeepRequest): Promise<KeptMemory> => {
  const { caller, draft, around, sessionId, now } = request;
  const { tenantId } = caller;
  if (around.mergeTarget === null) {
    const id = await insertNew(tx, request);
    if (request.prompt !== undefined) await notePrompt(tx, tenantId, id, request.prompt);
    await keepVectors(tx, request, id, 1);
    await borrowLoans(tx, id, now);
    return { id, status: 'created' };
  }
  const { record } = around.mergeTarget;
  const status = await mergeInto(tx, record, request);
  await addProof(tx, { tenantId, memoryId: record.id, sessionId, endedAt: draft.endedAt, now });
  if (request.prompt !== undefined) await notePrompt(tx, tenantId, record.id, request.prompt);
  await borrowLoans(tx, record.id, now);
  return { id: record.id, status };
};

/** A text whose vectors and links are to be kept. */
export interface ReadText {
  readonly caller: Caller;
  readonly draft: Pick<MemoryContent, 'title' | 'text'>;
  readonly embedded: EmbeddedNow;
  readonly around: Surroundings;
  readonly now: Date;
}

/** Stores vectors and links of a memory's present text, or the promise of them. */
export const keepVectors = async (
  tx: Tx,
  { caller, draft, embedded, around, now }: ReadText,
  memoryId: MemoryId,
  revision: number,
): Promise<void> => {
  const { tenantId } = caller;
  const contentHash = contentHashOf(fullTextOf(draft));
  const embeddings = [...embedded.embeddings, ...embedded.beside];
  const encoders = await insertEmbeddings(tx, { tenantId, memoryId, revision, contentHash, embeddings });
  if (!embedded.isComplete || isWanting(encoders, embeddings)) await promiseEmbedding(tx, tenantId, memoryId, now);
  await insertLinks(tx, tenantId, linksOf(memoryId, around), now);
};

/** Whether a text lacks vectors of its tenant's encoders: of the one to come, or since another was known here. */
const isWanting = (encoders: TenantEncoders | null, embeddings: readonly TextEmbedding[]): boolean => {
  if (encoders === null) return false;
  const { active, coming } = encoders;
  const models = new Set(embeddings.map(({ card }) => card.name));
  const wanted = [...Object.values(active), ...(coming === null ? [] : [coming])];
  return wanted.some((encoder) => {
    const model = encoderNameOf(encoder);
    return model !== null && models.has(model) && !embeddings.some((one) => one.encoder === encoder);
  });
};

/** Digest of a text that was embedded, to tell whether vectors belong to the present text. */
export const contentHashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** By what a memory is found. */
export interface Searchable {
  readonly language: string;
  readonly keywords: Keywords;
  readonly embeddingState: EmbeddingState;
}

export const searchable = (content: MemoryContent, embedded: Pick<EmbeddedNow, 'isComplete'>): Searchable => {
  const text = fullTextOf(content);
  const [encoder] = chooseEncoders(text);
  return {
    language: encoder === undefined ? 'und' : ENCODER_CARDS[encoder].language,
    keywords: keywordsOf(content),
    embeddingState: embedded.isComplete ? 'ready' : 'pending',
  };
};

const insertNew = (tx: Tx, { caller, draft, embedded, audience, sessionId, now }: KeepRequest): Promise<MemoryId> =>
  insertMemory(tx, {
    ...draft,
    ...audience,
    ...searchable(draft, embedded),
    tenantId: caller.tenantId,
    sessionId,
    now,
  });

const mergeInto = async (tx: Tx, record: MemoryRecord, request: KeepRequest): Promise<'merged' | 'repeated'> => {
  const { caller, draft, embedded, now } = request;
  const content = mergeContent(record, draft);
  const isSameText = saysTheSame(record, draft);
  if (isSameText && !addsTo(record, content)) return 'repeated';
  const { id, revision } = record;
  const merged = { ...content, ...searchable(content, embedded), tenantId: caller.tenantId, id, revision, now };
  if (isSameText) {
    if (!(await joinMemory(tx, merged))) throw staleRevision();
    return 'merged';
  }
  const next = await replaceText(tx, { ...merged, writtenAs: 'merged', saysOther: false });
  if (next === null) throw staleRevision();
  await keepVectors(tx, request, id, next);
  return 'merged';
};

const staleRevision = (): AppError =>
  new AppError('conflict', 'stale-revision', 'The memory changed meanwhile; capture again.');

/**
 * The nearest ten of the new memory, and the memories among whose nearest ten it now is; then what it is too near to.
 */
export const linksOf = (
  id: MemoryId,
  { neighbours, near, conflicts }: Pick<Surroundings, 'neighbours' | 'near' | 'conflicts'>,
): NewLink[] => {
  const others = neighbours.filter((other) => other.id !== id);
  const outward = others.slice(0, NEAREST_NEIGHBOURS);
  const inward = others.filter(({ nearerNeighbours }) => nearerNeighbours < NEAREST_NEIGHBOURS);
  const closest = (kind: 'near' | 'conflict', memories: readonly CloseMemory[]): NewLink[] =>
    memories
      .filter(({ record }) => record.id !== id)
      .map(({ record, similarity }) => ({ from: id, to: record.id, kind, weight: similarity }));
  return [
    ...outward.map(({ id: to, cosine }): NewLink => ({ from: id, to, kind: 'neighbour', weight: cosine })),
    ...inward.map(({ id: from, cosine }): NewLink => ({ from, to: id, kind: 'neighbour', weight: cosine })),
    ...closest('near', near),
    ...closest('conflict', conflicts),
  ];
};
