import type { Scope } from '@tempera/core';
import {
  type Alternative,
  type CaptureSource,
  type ErrorResolution,
  MAX_NOTES_BYTES,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  type MemoryContent,
  type MemoryNotes,
  notesBytes,
  titleOf,
} from '@tempera/platform';
import type { AlternativeInput, CaptureInput, ErrorResolutionInput } from './capture.input.js';
import { checkBytes, checkCount, checkList, checkOptionalText, checkText, refuse } from './check-input.js';
import type { MergeMode } from './memory.enums.js';

export const MAX_TITLE = 300;
const MAX_FILES = 500;
const MAX_NOTES = 50;
/** Clocks of clients differ; what lies further ahead is a mistake. */
const MAX_AHEAD_MS = 24 * 3_600_000;

/** A capture whose arguments have been checked; whether the caller may do it is not known yet. */
export interface CaptureDraft extends MemoryContent {
  readonly scope: Scope | null;
  readonly projectSlug: string | null;
  readonly groupSlug: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly sessionKey: string | null;
  readonly promptKey: string | null;
  readonly source: CaptureSource;
  readonly idempotencyKey: string | null;
  readonly merge: MergeMode;
  /** Id, or short id, of the memory whose place it takes. */
  readonly supersedes: string | null;
}

/** Checks everything that can be said of a capture without the database. @throws AppError `invalid-input` */
export const parseCapture = (input: CaptureInput, now: Date): CaptureDraft => {
  const text = checkBytes(input.text, 'text', MAX_TEXT_BYTES);
  const scope = input.scope ?? null;
  const projectSlug = checkOptionalText(input.project, { name: 'project', max: 63, oneLine: true });
  if ((scope === 'project' || scope === 'group') && projectSlug === null) {
    const word = scope.toUpperCase();
    throw refuse('project-needed', `Scope ${word} needs \`project\`, the slug of one of your projects.`);
  }
  const groupSlug = checkOptionalText(input.group, { name: 'group', max: 63, oneLine: true });
  if (groupSlug !== null && scope !== 'group') {
    throw refuse('group-scope', '`group` goes with scope GROUP.');
  }
  const { startedAt, endedAt } = parseWork(input, now);
  return {
    text,
    title: checkOptionalText(input.title, { name: 'title', max: MAX_TITLE, oneLine: true }) ?? titleOf(text),
    kind: input.kind,
    scope,
    projectSlug,
    groupSlug,
    taskType: input.taskType ?? null,
    outcome: input.outcome ?? null,
    ...parseNotes(input),
    validity: input.validity,
    verification: input.verification,
    pinned: input.pinned,
    expiresAt: input.expiresAt ?? null,
    startedAt,
    endedAt,
    sessionKey: checkOptionalText(input.sessionKey, { name: 'sessionKey', max: 200, oneLine: true }),
    promptKey: checkOptionalText(input.promptKey, { name: 'promptKey', max: 100, oneLine: true }),
    source: input.source,
    idempotencyKey: checkOptionalText(input.idempotencyKey, { name: 'idempotencyKey', max: 200, oneLine: true }),
    merge: input.merge,
    supersedes: parseSupersedes(input.supersedes),
  };
};

/** When work began and ended. @throws AppError `invalid-input` for what has not come yet, and for an end before the beginning */
const parseWork = (
  input: Pick<CaptureInput, 'startedAt' | 'occurredAt'>,
  now: Date,
): Pick<CaptureDraft, 'startedAt' | 'endedAt'> => {
  for (const name of ['occurredAt', 'startedAt'] as const) {
    if ((input[name]?.getTime() ?? 0) > now.getTime() + MAX_AHEAD_MS)
      throw refuse('date-ahead', `\`${name}\` lies in the future.`);
  }
  const endedAt = input.occurredAt ?? now;
  const startedAt = input.startedAt ?? endedAt;
  if (startedAt <= endedAt) return { startedAt, endedAt };
  if (input.occurredAt) throw refuse('range', '`startedAt` lies after `occurredAt`.');
  // A client's clock may run ahead of ours.
  return { startedAt: endedAt, endedAt };
};

export const parseSupersedes = (given: string | null | undefined): string | null =>
  checkOptionalText(given, { name: 'supersedes', max: 36, oneLine: true });

const parseNotes = (input: CaptureInput): MemoryNotes =>
  checkNotes({
    tags: parseTags(input.tags),
    filesModified: parseFiles(input.filesModified),
    errorsResolved: parseErrors(input.errorsResolved),
    alternatives: parseAlternatives(input.alternatives),
  });

/** @throws AppError `invalid-input` for notes that are too much together */
export const checkNotes = (notes: MemoryNotes): MemoryNotes => {
  const bytes = notesBytes(notes);
  if (bytes <= MAX_NOTES_BYTES) return notes;
  const names = '`tags`, `filesModified`, `errorsResolved` and `alternatives`';
  throw refuse('notes-too-long', `${names} may have ${MAX_NOTES_BYTES} bytes together; these have ${bytes}.`);
};

export const parseTags = (tags: readonly string[]): string[] =>
  checkList(tags, { name: 'tags', max: 100, maxItems: MAX_TAGS });

export const parseFiles = (files: readonly string[]): string[] =>
  checkList(files, { name: 'filesModified', max: 1_000, maxItems: MAX_FILES });

export const parseErrors = (errors: readonly ErrorResolutionInput[]): ErrorResolution[] => {
  checkCount(errors, 'errorsResolved', MAX_NOTES);
  return errors.map(({ error, resolution }) => ({
    error: checkText(error, { name: 'errorsResolved.error', max: 2_000 }),
    resolution: checkOptionalText(resolution, { name: 'errorsResolved.resolution', max: 4_000 }),
  }));
};

export const parseAlternatives = (alternatives: readonly AlternativeInput[]): Alternative[] => {
  checkCount(alternatives, 'alternatives', MAX_NOTES);
  return alternatives.map(({ approach, whyNot, revisitIf }) => ({
    approach: checkText(approach, { name: 'alternatives.approach', max: 2_000 }),
    whyNot: checkText(whyNot, { name: 'alternatives.whyNot', max: 2_000 }),
    revisitIf: checkOptionalText(revisitIf, { name: 'alternatives.revisitIf', max: 2_000 }),
  }));
};
