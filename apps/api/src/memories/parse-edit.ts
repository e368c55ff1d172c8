import { isDeepStrictEqual } from 'node:util';
import { MAX_TEXT_BYTES, type MemoryContent, titleOf } from '@tempera/platform';
import { checkBytes, checkOptionalText, checkText, refuse } from './check-input.js';
import type { EditMemoryInput } from './edit.input.js';
import {
  checkNotes,
  MAX_TITLE,
  parseAlternatives,
  parseErrors,
  parseFiles,
  parseSupersedes,
  parseTags,
} from './parse-capture.js';

/** What an edit may change. Who sees a memory, whose it is and whether it is pinned are not among it. */
type Editable = Omit<MemoryContent, 'pinned'>;

/** A checked edit: what is to take the place of what is there. */
export interface MemoryEdit {
  readonly parts: Partial<Omit<Editable, 'title'>>;
  /** null: made from the text; undefined: kept, or made from the new text where it had been made from the old one. */
  readonly title: string | null | undefined;
  readonly idempotencyKey: string | null;
  /** Id, or short id, of the memory whose place it takes. */
  readonly supersedes: string | null;
}

/** Checks everything that can be said of an edit without the memory. @throws AppError `invalid-input` */
export const parseEdit = (input: EditMemoryInput): MemoryEdit => {
  const parts = withoutAbsent({
    text: input.text == null ? undefined : checkBytes(input.text, 'text', MAX_TEXT_BYTES),
    kind: input.kind ?? undefined,
    taskType: input.taskType,
    outcome: input.outcome,
    tags: input.tags == null ? undefined : parseTags(input.tags),
    filesModified: input.filesModified == null ? undefined : parseFiles(input.filesModified),
    errorsResolved: input.errorsResolved == null ? undefined : parseErrors(input.errorsResolved),
    alternatives: input.alternatives == null ? undefined : parseAlternatives(input.alternatives),
    validity: input.validity ?? undefined,
    verification: input.verification ?? undefined,
    expiresAt: input.expiresAt,
  });
  const title =
    typeof input.title === 'string'
      ? checkText(input.title, { name: 'title', max: MAX_TITLE, oneLine: true })
      : input.title;
  const supersedes = parseSupersedes(input.supersedes);
  if (title === undefined && Object.keys(parts).length === 0 && supersedes === null) {
    throw refuse('nothing-to-edit', 'Say what to change: `text`, `title`, `tags` …');
  }
  const idempotencyKey = checkOptionalText(input.idempotencyKey, { name: 'idempotencyKey', max: 200, oneLine: true });
  return { parts, title, idempotencyKey, supersedes };
};

/** The parts that were given; null is given. */
const withoutAbsent = <T extends object>(parts: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } => {
  const given: { [Key in keyof T]?: Exclude<T[Key], undefined> } = {};
  for (const key of Object.keys(parts) as (keyof T)[]) {
    const value = parts[key];
    if (value !== undefined) given[key] = value as Exclude<T[typeof key], undefined>;
  }
  return given;
};

/** What the memory says once it is edited. @throws AppError `invalid-input` for notes that are too much together */
export const applyEdit = (old: MemoryContent, { parts, title }: MemoryEdit): MemoryContent => {
  const text = parts.text ?? old.text;
  const keptTitle = old.title === titleOf(old.text) ? titleOf(text) : old.title;
  const { kind, taskType, outcome, tags, filesModified, errorsResolved, alternatives } = old;
  const { validity, verification, pinned, expiresAt } = old;
  const rest = { kind, taskType, outcome, validity, verification, pinned, expiresAt };
  const content = {
    ...rest,
    ...{ tags, filesModified, errorsResolved, alternatives },
    ...parts,
    text,
    title: title === undefined ? keptTitle : (title ?? titleOf(text)),
  };
  if (notesGiven(parts)) checkNotes(content);
  return content;
};

const notesGiven = ({ tags, filesModified, errorsResolved, alternatives }: MemoryEdit['parts']): boolean =>
  [tags, filesModified, errorsResolved, alternatives].some((part) => part !== undefined);

/** The names of what differs, in the order of the input. */
export const changedFields = (old: MemoryContent, next: MemoryContent): string[] => {
  const names = Object.keys(next) as (keyof MemoryContent)[];
  return names.filter((name) => !isDeepStrictEqual(plain(old[name]), plain(next[name]))).sort();
};

/** As it is stored: an Error's fields in any order, a date by its moment. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Whether encoders and people read something else than before. */
export const hasOtherWords = (old: MemoryContent, next: MemoryContent): boolean =>
  old.text !== next.text || old.title !== next.title;
