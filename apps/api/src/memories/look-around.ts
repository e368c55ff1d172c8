import { isOfOneCircle, type MemoryId, type Verdict } from '@tempera/core';
import {
  findNear,
  findOfOnePrompt,
  findSameText,
  lockRetirable,
  type MemoryAudience,
  type MemoryContent,
  type MemoryRecord,
  type NearMemory,
  readMemories,
  saysTheSame,
  type SessionPrompt,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { inWords, judgeMeeting, type Measure } from './meet.js';

/** So many near memories can have a new one among their nearest; more of them would make a capture slow. */
export const NEAR_LIMIT = 50;
/** So many are read, compared and named to whoever captured. */
export const CLOSE_LIMIT = 5;

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

export interface LookAroundRequest extends Measure {
  readonly caller: Pick<Caller, 'tenantId'>;
  readonly audience: MemoryAudience;
  readonly content: MemoryContent;
  readonly mayMerge: boolean;
  /** Whether older decisions may give way to it, and when what it tells of ended. */
  readonly mayRetire: boolean;
  readonly endedAt: Date;
  readonly now: Date;
  /** Not itself. */
  readonly except?: MemoryId;
  /** The memory that its author says it takes the place of: then it is merged into nothing but the very same text. */
  readonly replaces?: MemoryId;
  /** From which it is captured: what its author captured from it before is probably the same. */
  readonly prompt?: SessionPrompt;
  /** Only what was said before, where it is looked for later than the text came. */
  readonly isBefore?: (neighbour: NearMemory) => boolean;
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
    ...exceptOf(except),
  });
  const close = neighbours.filter(request.isBefore ?? (() => true)).slice(0, CLOSE_LIMIT);
  const twin = await findTwin(tx, request);
  const retold = new Set(await findRetold(tx, request));
  const ids = [...new Set([...(twin === null ? [] : [twin]), ...retold, ...close.map(({ id }) => id)])];
  const records = await readMemories(tx, tenantId, ids);
  const found = ids.flatMap((id) => {
    const record = records.get(id);
    // What has expired says nothing any more.
    if (record === undefined || (record.expiresAt !== null && record.expiresAt <= request.now)) return [];
    return [{ record, near: neighbours.find((other) => other.id === id), isOfOnePrompt: retold.has(id) }];
  });
  return { neighbours, ...(await sort(tx, found, request)) };
};

/** The same text by the same author is a repetition whether or not its vectors are there. */
const findTwin = async (
  tx: Tx,
  { caller, audience, content, mayMerge, now, except, replaces }: LookAroundRequest,
): Promise<MemoryId | null> =>
  mayMerge
    ? findSameText(tx, {
        tenantId: caller.tenantId,
        audience,
        kind: content.kind,
        text: content.text,
        now,
        ...exceptOf(except ?? replaces),
      })
    : null;

const exceptOf = (except: MemoryId | undefined): { readonly except?: MemoryId } =>
  except === undefined ? {} : { except };

/** What the author captured from the same prompt. */
const findRetold = async (
  tx: Tx,
  { caller, audience, content, prompt, mayMerge, now }: LookAroundRequest,
): Promise<MemoryId[]> => {
  if (prompt === undefined || !mayMerge) return [];
  const { tenantId } = caller;
  return findOfOnePrompt(tx, { tenantId, prompt, audience, kind: content.kind, now, limit: CLOSE_LIMIT });
};

/** A stored memory and how near it lies. */
interface Found {
  readonly record: MemoryRecord;
  readonly near: NearMemory | undefined;
  readonly isOfOnePrompt: boolean;
}

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
    const memory = { record: one.record, similarity: one.near?.cosine ?? 1, differences: differences.map(inWords) };
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
    true,
  );
};

const judge = ({ record, near, isOfOnePrompt }: Found, request: LookAroundRequest, mayRetire: boolean): Verdict => {
  const { content, audience, embeddings, thresholds, endedAt } = request;
  const newer = { ...content, projectId: audience.projectId, endedAt };
  return judgeMeeting({ older: record, newer, near, embeddings, thresholds, isOfOnePrompt }, mayRetire);
};

/**
 * Whether the text may be merged into this memory: by the same author, for the same people, of the same kind. What somebody
 * else wrote into it is not overwritten; and what the text says that it takes the place of does not become it.
 */
const mayBecome = (record: MemoryRecord, { audience, content, mayMerge, replaces }: LookAroundRequest): boolean => {
  if (!mayMerge || !isOfOneCircle(record, { ...audience, kind: content.kind })) return false;
  if (saysTheSame(record, content)) return record.id !== replaces;
  return replaces === undefined && record.writtenBy === audience.ownerId;
};
