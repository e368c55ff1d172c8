import { AppError } from '@tempera/client-kit';
import { type MemoryId, NEAREST_NEIGHBOURS, type SessionId } from '@tempera/core';
import {
  chooseEncoders,
  ENCODER_CARDS,
  type EmbeddingState,
  insertEmbeddings,
  insertLinks,
  insertMemory,
  type Keywords,
  type MemoryAudience,
  mergeMemory,
  type NewLink,
  promiseEmbedding,
  toKeywords,
  type Tx,
} from '@tempera/platform';
import { createHash } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import type { EmbeddedNow } from './capture-embedder.js';
import type { CloseMemory, Surroundings } from './look-around.js';
import { fullTextOf } from './memory-title.js';
import { mergeContent } from './merge-content.js';
import type { CaptureDraft } from './parse-capture.js';

export interface KeepRequest {
  readonly caller: Caller;
  readonly draft: CaptureDraft;
  readonly embedded: EmbeddedNow;
  readonly audience: MemoryAudience;
  readonly sessionId: SessionId;
  readonly around: Surroundings;
  readonly now: Date;
}

/** Stores the memory, or makes it the next revision of the one it repeats, with vectors and links. @returns its id */
export const keepMemory = async (tx: Tx, request: KeepRequest): Promise<MemoryId> => {
  const { caller, draft, embedded, around, now } = request;
  const { id, revision } =
    around.mergeTarget === null ? await insertNew(tx, request) : await mergeInto(tx, around.mergeTarget, request);
  const contentHash = contentHashOf(fullTextOf(draft));
  await insertEmbeddings(tx, {
    tenantId: caller.tenantId,
    memoryId: id,
    revision,
    contentHash,
    embeddings: embedded.embeddings,
  });
  if (!embedded.isComplete) await promiseEmbedding(tx, caller.tenantId, id, now);
  await insertLinks(tx, caller.tenantId, linksOf(id, around), now);
  return id;
};

/** Digest of a text that was embedded, to tell whether vectors belong to the present text. */
export const contentHashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();

interface Searchable {
  readonly language: string;
  readonly keywords: Keywords;
  readonly embeddingState: EmbeddingState;
}

const searchable = (draft: CaptureDraft, embedded: EmbeddedNow): Searchable => {
  const text = fullTextOf(draft);
  const [encoder] = chooseEncoders(text);
  return {
    language: encoder === undefined ? 'und' : ENCODER_CARDS[encoder].language,
    keywords: toKeywords([text, ...draft.tags, ...draft.filesModified].join('\n')),
    embeddingState: embedded.isComplete ? 'ready' : 'pending',
  };
};

const insertNew = async (
  tx: Tx,
  { caller, draft, embedded, audience, sessionId, now }: KeepRequest,
): Promise<{ id: MemoryId; revision: number }> => {
  const id = await insertMemory(tx, {
    ...draft,
    ...audience,
    ...searchable(draft, embedded),
    tenantId: caller.tenantId,
    sessionId,
    now,
  });
  return { id, revision: 1 };
};

const mergeInto = async (
  tx: Tx,
  { record }: CloseMemory,
  { caller, draft, embedded, sessionId, now }: KeepRequest,
): Promise<{ id: MemoryId; revision: number }> => {
  const content = mergeContent(record, draft);
  const revision = await mergeMemory(tx, {
    ...content,
    ...searchable({ ...draft, ...content }, embedded),
    tenantId: caller.tenantId,
    id: record.id,
    revision: record.revision,
    newProofs: record.sessionId === sessionId ? 0 : 1,
    endedAt: draft.endedAt,
    now,
  });
  if (revision === null)
    throw new AppError('conflict', 'stale-revision', 'The memory changed meanwhile; capture again.');
  return { id: record.id, revision };
};

/**
 * The nearest ten of the new memory, and the memories among whose nearest ten it now is; then what it is too near to.
 */
export const linksOf = (id: MemoryId, { neighbours, near, conflicts }: Surroundings): NewLink[] => {
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
