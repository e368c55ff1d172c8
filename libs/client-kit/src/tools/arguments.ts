import { z } from 'zod';
import { AppError } from '../app-error.js';

/*
 * Pieces of argument schemas, and the way from what an agent writes to what the service expects. Every client pays for
 * tools/list in each conversation, so the schemas say what a caller must know and no more: dates are plain strings (a
 * pattern costs half a kilobyte each), and lengths are the service's to judge.
 */

/** @returns one of the values, in lower case for agents */
const words = <const Values extends readonly [string, ...string[]]>(
  values: Values,
): z.ZodEnum<z.core.util.ToEnum<Values[number]>> => z.enum(values);

export const kindArgument = words([
  'episode',
  'preference',
  'background',
  'decision',
  'todo',
  'correction',
  'question',
]);
export const scopeArgument = words(['private', 'project', 'group', 'tenant']);
export const taskTypeArgument = words([
  'bugfix',
  'feature',
  'refactor',
  'test',
  'docs',
  'research',
  'debug',
  'setup',
  'unknown',
]);
export const outcomeArgument = words(['success', 'partial', 'failure']);
export const validityArgument = words(['forever', 'language', 'domain', 'project', 'dependency', 'workaround', 'none']);
export const verificationArgument = words(['untested', 'tests_pass', 'merged', 'stable', 'across_projects']);
export const projectArgument = z.string().describe('slug of another');
export const groupArgument = z.string().describe('slug, for scope group');
export const textList = z.array(z.string());

/** `tests_pass` for agents is `TESTS_PASS` in the contract. */
export const contractWord = (word: string): string => word.toUpperCase();

/** Reads an ISO 8601 date or moment; a date alone is its first moment in UTC. @throws AppError `invalid-input` */
export const readMoment = (argument: string, value: string): string => {
  const isIso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(value);
  const moment = new Date(value);
  if (!isIso || Number.isNaN(moment.getTime())) {
    throw new AppError(
      'invalid-input',
      'not-a-moment',
      `${argument} is no ISO 8601 date or time with zone, such as 2026-11-30 or 2026-11-30T18:00:00Z.`,
    );
  }
  return moment.toISOString();
};

const FULL_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SHORT_ID = /^[0-9a-f]{8}$/i;

/** What a word can be as the id of a memory: a full UUID, its first eight characters, or neither. */
export const idForm = (word: string): 'full' | 'short' | 'none' => {
  if (FULL_ID.test(word)) return 'full';
  return SHORT_ID.test(word) ? 'short' : 'none';
};

/** The eight characters under which people and agents speak of a memory. */
export const shortId = (id: string): string => id.slice(0, 8);
