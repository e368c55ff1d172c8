import { findConflicts, type MemoryId, type TextConflict } from '@tempera/core';
import {
  findNear,
  findSameText,
  type MemoryAudience,
  type MemoryContent,
  type MemoryRecord,
  type NearMemory,
  readMemories,
  type TextEmbedding,
  toKeywords,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { fullTextOf } from './memory-title.js';
import { saysTheSame } from './merge-content.js';

/** So many near memories can have a new one among their nearest; more of them would make a capture slow. */
const NEAR_LIMIT = 50;
/** So many are read, compared and named to whoever captured. */
const CLOSE_LIMIT = 5;

/** Below the cluster threshold a contradiction is looked for where two texts share this much of their words. */
const ALIKE_SHARE = 0.6;

/** A stored memory that says nearly the same. */
export interface CloseMemory {
  readonly record: MemoryRecord;
  readonly similarity: number;
  /** What keeps the two apart, in words; empty when nothing does. */
  readonly differences: readonly string[];
}

/** What lies around a text in its audience. */
export interface Surroundings {
  /** All above the edge threshold, nearest first. */
  readonly neighbours: readonly NearMemory[];
  /** The memory of the same author and kind that says the same, of which this is the next revision. */
  readonly mergeTarget: CloseMemory | null;
  readonly near: readonly CloseMemory[];
  /** As near as a repetition, but different in a number, a name, a negation …: for a person to judge. */
  readonly conflicts: readonly CloseMemory[];
}

export interface LookAroundRequest {
  readonly caller: Caller;
  readonly audience: MemoryAudience;
  readonly content: MemoryContent;
  readonly embeddings: readonly TextEmbedding[];
  readonly mayMerge: boolean;
  /** What the project has set over the card's; null where it has not. */
  readonly thresholds: { readonly merge: number | null; readonly cluster: number | null };
  readonly now: Date;
  /** Not itself. */
  readonly except?: MemoryId;
}

/** Looks for what a text repeats, contradicts or resembles, among memories that the same people see. */
export const lookAround = async (tx: Tx, request: LookAroundRequest): Promise<Surroundings> => {
  const { caller, audience, embeddings, except } = request;
  const { tenantId } = caller;
  const neighbours = await findNear(tx, {
    tenantId,
    audience,
    embeddings,
    limit: NEAR_LIMIT,
    ...(except === undefined ? {} : { except }),
  });
  const close = neighbours.slice(0, CLOSE_LIMIT);
  const twin = await findTwin(tx, request);
  const ids = [...new Set([...(twin === null ? [] : [twin]), ...close.map(({ id }) => id)])];
  const records = await readMemories(tx, tenantId, ids);
  return { neighbours, ...sort(ids, records, neighbours, request) };
};

/** The same text by the same author is a repetition whether or not its vectors are there. */
const findTwin = async (
  tx: Tx,
  { caller, audience, content, mayMerge, now, except }: LookAroundRequest,
): Promise<MemoryId | null> =>
  mayMerge
    ? findSameText(tx, {
        tenantId: caller.tenantId,
        audience,
        kind: content.kind,
        text: content.text,
        now,
        ...(except === undefined ? {} : { except }),
      })
    : null;

const sort = (
  ids: readonly MemoryId[],
  records: ReadonlyMap<MemoryId, MemoryRecord>,
  neighbours: readonly NearMemory[],
  request: LookAroundRequest,
): Omit<Surroundings, 'neighbours'> => {
  const byId = new Map(neighbours.map((near) => [near.id, near]));
  let mergeTarget: CloseMemory | null = null;
  const near: CloseMemory[] = [];
  const conflicts: CloseMemory[] = [];
  for (const id of ids) {
    const record = records.get(id);
    // What has expired says nothing any more.
    if (record === undefined || (record.expiresAt !== null && record.expiresAt <= request.now)) continue;
    const found = byId.get(id);
    const nearness = nearnessOf(record, found, request);
    const differences = nearness === 'far' ? [] : contradictions(record, nearness, request);
    const memory = { record, similarity: found?.cosine ?? 1, differences };
    if (differences.length > 0) conflicts.push(memory);
    else if (nearness === 'repetition' && mergeTarget === null && mayBecome(record, request)) mergeTarget = memory;
    else if (nearness === 'repetition' || nearness === 'near') near.push(memory);
  }
  return { mergeTarget, near, conflicts };
};

/** `alike`: not near for the encoder, which tells "on" from "off" no better than two texts on one subject, but in words. */
type Nearness = 'repetition' | 'near' | 'alike' | 'far';

const nearnessOf = (record: MemoryRecord, found: NearMemory | undefined, request: LookAroundRequest): Nearness => {
  if (saysTheSame(record, request.content)) return 'repetition';
  if (found === undefined) return 'far';
  if (reaches(found, request, 'merge')) return 'repetition';
  if (reaches(found, request, 'cluster')) return 'near';
  return sharedWords(record.text, request.content.text) >= ALIKE_SHARE ? 'alike' : 'far';
};

/** The share of terms, of the larger text's, that both have, 0..1. */
const sharedWords = (one: string, other: string): number => {
  const [a, b] = [toKeywords(one).terms, toKeywords(other).terms];
  const shared = [...a.keys()].filter((term) => b.has(term)).length;
  return shared / Math.max(1, a.size, b.size);
};

/**
 * What keeps two texts apart, where that is for a person to judge. Where they are no repetition, only if they say the same
 * in the same words but for a number, a negation and the like: texts on one subject differ in words anyway.
 */
const contradictions = (record: MemoryRecord, nearness: Nearness, { content }: LookAroundRequest): string[] => {
  if (saysTheSame(record, content)) return [];
  const found = findConflicts(fullTextOf(record), fullTextOf(content));
  const isSameWording = found.every(({ kind }) => kind !== 'wording' && kind !== 'name');
  return nearness === 'repetition' || isSameWording ? found.map(inWords) : [];
};

/** Whether the text may be merged into this memory: by the same author, for the same people, of the same kind. */
const mayBecome = (record: MemoryRecord, { audience, content, mayMerge }: LookAroundRequest): boolean =>
  mayMerge &&
  record.ownerId === audience.ownerId &&
  record.projectId === audience.projectId &&
  record.kind === content.kind;

/** Whether every part of one text has a partner that near in the other, for every encoder that reads them. */
export const reaches = (
  near: NearMemory,
  { embeddings, thresholds }: Pick<LookAroundRequest, 'embeddings' | 'thresholds'>,
  threshold: 'merge' | 'cluster',
): boolean =>
  embeddings.length > 0 &&
  embeddings.every(
    ({ encoder, card }) =>
      (near.byEncoder.get(encoder)?.worst ?? -1) >= (thresholds[threshold] ?? card.thresholds[threshold].cosine),
  );

const inWords = ({ kind, one, other }: TextConflict): string =>
  kind === 'order' ? `order: ${one.join(', ')}` : `${kind}: ${said(one)} / ${said(other)}`;

const said = (items: readonly string[]): string => (items.length === 0 ? '–' : items.join(', '));
