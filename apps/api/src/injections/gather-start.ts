import type { MemoryId } from '@tempera/core';
import {
  findProfileLines,
  findToldAtStart,
  type InjectionPlace,
  lastHere,
  readRecallPolicy,
  type RankedMemory,
  type ShownMemory,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireActive } from '../encoders/encoders-moved.js';
import type { ReadQuestion } from '../retrieval/question-reader.js';
import { rankFor } from '../retrieval/rank-for.js';
import { type InjectedItem, PER_SECTION, PER_START } from './injection.types.js';
import type { StartWish } from './parse-injection.js';
import { itemsOf } from './to-item.js';

/** In the order in which they are filled: a memory stands in the first one alone. */
const SECTIONS = ['pinned', 'userProfile', 'projectProfile', 'todos', 'changed', 'relevant'] as const;
type Section = (typeof SECTIONS)[number];
const NOTHING: Readonly<Record<Section, readonly MemoryId[]>> = {
  ...{ pinned: [], userProfile: [], projectProfile: [], todos: [], changed: [], relevant: [] },
};
/** Some of what is fetched falls out: it stands in an earlier section, or reads as an order. */
const FETCHED = 2 * PER_SECTION;

export interface StartQuestion {
  readonly caller: Caller;
  readonly place: InjectionPlace;
  readonly wish: StartWish;
  /** Null where neither a branch nor files say what it is about. */
  readonly read: ReadQuestion | null;
  readonly now: Date;
}

export interface GatheredStart {
  readonly sections: Readonly<Record<Section, InjectedItem[]>>;
  readonly lastHereAt: Date | null;
  readonly leftOut: number;
  readonly shown: readonly ShownMemory[];
}

/** Of who is no member. */
export const noSections = (): Record<Section, InjectedItem[]> => fill(NOTHING, new Map());

/** What a session begins with, of what may be put before the caller unasked. */
export const gatherStart = async (tx: Tx, question: StartQuestion): Promise<GatheredStart> => {
  const { place, wish, now } = question;
  const lastHereAt = await lastHere(tx, place);
  const told = await findToldAtStart(tx, place, { files: wish.files, since: lastHereAt, perSection: FETCHED, now });
  const lines = await findProfileLines(tx, place);
  const near = await rankSubject(tx, question);
  const of = (section: (typeof told)[number]['section']): MemoryId[] =>
    told.flatMap((one) => (one.section === section ? [one.id] : []));
  const candidates: Record<Section, readonly MemoryId[]> = {
    pinned: of('pinned'),
    userProfile: lines.flatMap(({ id, of: subject }) => (subject === 'user' ? [id] : [])),
    projectProfile: lines.flatMap(({ id, of: subject }) => (subject === 'project' ? [id] : [])),
    todos: of('todos'),
    changed: of('changed'),
    relevant: [...of('files'), ...near.map(({ candidate: { id } }) => id)],
  };
  const ids = new Set(SECTIONS.flatMap((section) => candidates[section]));
  const items = await itemsOf(tx, place, [...ids], now);
  const sections = fill(candidates, items);
  const shown = SECTIONS.flatMap((section) => sections[section].map(({ id }) => id));
  const fetched = new Set([...told.map(({ id }) => id), ...lines.map(({ id }) => id)]);
  const beyond = (told[0]?.total ?? 0) - told.length;
  const unshown = [...fetched].filter((id) => items.has(id)).length - shown.filter((id) => fetched.has(id)).length;
  return { sections, lastHereAt, leftOut: Math.max(0, beyond + unshown), shown: measured(shown, near) };
};

/** The nearest to what the branch and the files say. */
const rankSubject = async (tx: Tx, { caller, place, wish, read, now }: StartQuestion): Promise<RankedMemory[]> => {
  if (wish.subject === null || read === null) return [];
  const policy = await readRecallPolicy(tx, caller.tenantId, place.projectId);
  requireActive(read.active, policy.encoders);
  const search = { caller, read, text: wish.subject, now };
  return (await rankFor(tx, search, { projectId: place.projectId }, policy)).slice(0, FETCHED);
};

const fill = (
  candidates: Readonly<Record<Section, readonly MemoryId[]>>,
  items: ReadonlyMap<MemoryId, InjectedItem>,
): Record<Section, InjectedItem[]> => {
  const placed = new Set<MemoryId>();
  const filled = SECTIONS.map((section): [Section, InjectedItem[]] => {
    const chosen = [...new Set(candidates[section])]
      .flatMap((id) => (placed.has(id) ? [] : (items.get(id) ?? [])))
      .slice(0, Math.min(PER_SECTION, PER_START - placed.size));
    for (const { id } of chosen) placed.add(id);
    return [section, chosen];
  });
  return Object.fromEntries(filled) as Record<Section, InjectedItem[]>;
};

/** Only what was near some words was measured against them. */
const measured = (ids: readonly MemoryId[], near: readonly RankedMemory[]): ShownMemory[] => {
  const known = new Map(near.map(({ candidate: { id }, parts: { relevance }, score }) => [id, { relevance, score }]));
  return ids.map((id) => ({ id, ...(known.get(id) ?? { relevance: 0, score: 0 }) }));
};
