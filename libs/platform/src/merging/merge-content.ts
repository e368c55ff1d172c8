import { isDeepStrictEqual } from 'node:util';
import { type MemoryContent, type Verification, VERIFICATIONS } from '../database/repositories/memory-record.js';
import { listBytes, MAX_NOTES_BYTES, MAX_TAGS, type MemoryNotes, notesBytes, thatFit } from './memory-size.js';
import { titleOf } from './memory-title.js';

const MAX_FILES = 500;
const MAX_NOTES = 50;

/**
 * Whether a capture says what the memory says already: the same text but for the space around it, under the same title or
 * one that was made from the text.
 */
export const saysTheSame = (
  old: Pick<MemoryContent, 'title' | 'text'>,
  next: Pick<MemoryContent, 'title' | 'text'>,
): boolean => old.text.trim() === next.text.trim() && (next.title === old.title || next.title === titleOf(next.text));

/** Whether what a memory says after a capture of the same text is more than it said before. */
export const addsTo = (old: MemoryContent, joined: MemoryContent): boolean => {
  const facts = ({ taskType, outcome, validity, verification, pinned, expiresAt }: MemoryContent): unknown[] => [
    ...[taskType, outcome, validity, verification, pinned, expiresAt?.getTime()],
  ];
  const lists = ({ tags, filesModified, errorsResolved, alternatives }: MemoryContent): ReadonlySet<unknown>[] =>
    [tags, filesModified, errorsResolved, alternatives].map((list: readonly unknown[]) => new Set(list));
  return !isDeepStrictEqual(facts(old), facts(joined)) || !isDeepStrictEqual(lists(old), lists(joined));
};

/** What a memory says after a capture was merged into it: the newer text, and what both know beside it. */
export const mergeContent = (old: MemoryContent, next: MemoryContent): MemoryContent => ({
  kind: old.kind,
  title: saysTheSame(old, next) ? old.title : next.title,
  text: saysTheSame(old, next) ? old.text : next.text,
  taskType: next.taskType ?? old.taskType,
  outcome: next.outcome ?? old.outcome,
  ...joinedNotes(old, next),
  // `none` and `untested` are what a client says that says nothing.
  validity: next.validity === 'none' ? old.validity : next.validity,
  verification: furthest(old.verification, next.verification),
  pinned: old.pinned || next.pinned,
  expiresAt: next.expiresAt ?? old.expiresAt,
});

/** What both know; of the older, what there is room for. */
const joinedNotes = (old: MemoryNotes, next: MemoryNotes): MemoryNotes => {
  let room = MAX_NOTES_BYTES - notesBytes(next);
  const withOlder = <T extends object | string>(all: readonly T[], newer: readonly T[]): T[] => {
    const kept = thatFit(all.slice(newer.length), room);
    room -= listBytes(kept);
    return [...newer, ...kept];
  };
  return {
    tags: withOlder(joined(next.tags, old.tags, MAX_TAGS), next.tags),
    filesModified: withOlder(joined(next.filesModified, old.filesModified, MAX_FILES), next.filesModified),
    errorsResolved: withOlder(
      joinedBy(next.errorsResolved, old.errorsResolved, ({ error }) => error),
      next.errorsResolved,
    ),
    alternatives: withOlder(
      joinedBy(next.alternatives, old.alternatives, ({ approach }) => approach),
      next.alternatives,
    ),
  };
};

const joined = (newer: readonly string[], older: readonly string[], max: number): string[] =>
  [...new Set([...newer, ...older])].slice(0, max);

/** The newer word on each subject, then what only the older knew. */
const joinedBy = <T>(newer: readonly T[], older: readonly T[], subject: (item: T) => string): T[] => {
  const known = new Set(newer.map(subject));
  return [...newer, ...older.filter((item) => !known.has(subject(item)))].slice(0, MAX_NOTES);
};

const furthest = (one: Verification, other: Verification): Verification =>
  VERIFICATIONS.indexOf(one) >= VERIFICATIONS.indexOf(other) ? one : other;
