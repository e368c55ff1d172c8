import {
  ALIKE_SHARE,
  isNearThroughout,
  isOfOneCircle,
  judgeEncounter,
  type MemoryId,
  type Nearness,
  type Standpoint,
  type TextConflict,
  type Verdict,
} from '@tempera/core';
import {
  findNear,
  findSameText,
  lockRetirable,
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
  /** Older decisions on the same subject, locked, that the text takes the place of. */
  readonly superseded: readonly CloseMemory[];
}

export interface LookAroundRequest {
  readonly caller: Caller;
  readonly audience: MemoryAudience;
  readonly content: MemoryContent;
  readonly embeddings: readonly TextEmbedding[];
  readonly mayMerge: boolean;
  /** Whether older decisions may give way to it, and when what it tells of ended. */
  readonly mayRetire: boolean;
  readonly endedAt: Date;
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
  const found = ids.flatMap((id) => encounterOf(id, records.get(id), neighbours, request));
  return { neighbours, ...(await sort(tx, found, request)) };
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

/** A stored memory and how near it lies. */
interface Found {
  readonly record: MemoryRecord;
  readonly similarity: number;
  readonly nearness: Nearness;
  readonly sharedWords: number;
}

const encounterOf = (
  id: MemoryId,
  record: MemoryRecord | undefined,
  neighbours: readonly NearMemory[],
  request: LookAroundRequest,
): Found[] => {
  // What has expired says nothing any more.
  if (record === undefined || (record.expiresAt !== null && record.expiresAt <= request.now)) return [];
  const near = neighbours.find((neighbour) => neighbour.id === id);
  const shared = sharedWords(record.text, request.content.text);
  const nearness = nearnessOf(record, near, shared, request);
  return [{ record, similarity: near?.cosine ?? 1, nearness, sharedWords: shared }];
};

const sort = async (
  tx: Tx,
  found: readonly Found[],
  request: LookAroundRequest,
): Promise<Omit<Surroundings, 'neighbours'>> => {
  const sides: Omit<Surroundings, 'neighbours' | 'mergeTarget'> = { near: [], conflicts: [], superseded: [] };
  const lists = sides as Record<keyof typeof sides, CloseMemory[]>;
  let mergeTarget: CloseMemory | null = null;
  const retirable = await retirableAmong(tx, found, request);
  for (const one of found) {
    const { relation, differences } = judge(one, request, retirable.has(one.record.id));
    const memory = { record: one.record, similarity: one.similarity, differences: differences.map(inWords) };
    if (relation === 'supersedes') lists.superseded.push(memory);
    else if (relation === 'conflict') lists.conflicts.push(memory);
    else if (relation === 'same' && mergeTarget === null && mayBecome(one.record, request)) mergeTarget = memory;
    else if (relation !== 'far') lists.near.push(memory);
  }
  return { mergeTarget, ...sides };
};

/** Those that would give way and that the caller may retire: locked, so that they still stand when they do. */
const retirableAmong = async (
  tx: Tx,
  found: readonly Found[],
  request: LookAroundRequest,
): Promise<ReadonlySet<MemoryId>> => {
  const older = request.mayRetire ? found.filter((one) => judge(one, request, true).relation === 'supersedes') : [];
  return lockRetirable(
    tx,
    request.caller.tenantId,
    older.map(({ record }) => record.id),
  );
};

const judge = ({ record, nearness, sharedWords }: Found, request: LookAroundRequest, mayRetire: boolean): Verdict =>
  saysTheSame(record, request.content)
    ? { relation: 'same', differences: [] }
    : judgeEncounter({
        older: standpointOf(record),
        newer: standpointOf({ ...request.content, ...request.audience, endedAt: request.endedAt }),
        ...{ nearness, sharedWords, mayRetire },
      });

const standpointOf = (memory: Pick<MemoryRecord, 'kind' | 'title' | 'text' | 'projectId' | 'endedAt'>): Standpoint => ({
  kind: memory.kind,
  text: fullTextOf(memory),
  projectId: memory.projectId,
  endedAt: memory.endedAt,
});

const nearnessOf = (
  record: MemoryRecord,
  found: NearMemory | undefined,
  shared: number,
  request: LookAroundRequest,
): Nearness => {
  if (saysTheSame(record, request.content)) return 'repetition';
  if (found === undefined) return 'far';
  if (reaches(found, request, 'merge')) return 'repetition';
  if (reaches(found, request, 'cluster')) return 'near';
  return shared >= ALIKE_SHARE ? 'alike' : 'far';
};

/** The share of terms, of the larger text's, that both have, 0..1. */
const sharedWords = (one: string, other: string): number => {
  const [a, b] = [toKeywords(one).terms, toKeywords(other).terms];
  const shared = [...a.keys()].filter((term) => b.has(term)).length;
  return shared / Math.max(1, a.size, b.size);
};

/** Whether the text may be merged into this memory: by the same author, for the same people, of the same kind. */
const mayBecome = (record: MemoryRecord, { audience, content, mayMerge }: LookAroundRequest): boolean =>
  mayMerge && isOfOneCircle(record, { ...audience, kind: content.kind });

/** Whether every part of one text has a partner that near in the other, for every encoder that reads them. */
export const reaches = (
  near: NearMemory,
  { embeddings, thresholds }: Pick<LookAroundRequest, 'embeddings' | 'thresholds'>,
  threshold: 'merge' | 'cluster',
): boolean =>
  isNearThroughout(
    embeddings.map(({ encoder, card }) => ({
      worst: near.byEncoder.get(encoder)?.worst ?? -1,
      threshold: thresholds[threshold] ?? card.thresholds[threshold].cosine,
    })),
  );

/** A difference as a person reads it. */
export const inWords = ({ kind, one, other }: TextConflict): string =>
  kind === 'order' ? `order: ${one.join(', ')}` : `${kind}: ${said(one)} / ${said(other)}`;

const said = (items: readonly string[]): string => (items.length === 0 ? '–' : items.join(', '));
