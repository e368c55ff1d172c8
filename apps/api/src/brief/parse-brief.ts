import type { BriefSubject } from '@tempera/platform';
import { checkBytes, checkList, checkOptionalText, refuse } from '../memories/check-input.js';
import type { BriefInput } from './brief.input.js';

const MAX_TASK_BYTES = 8_192;
export const MAX_BRIEF_LIMIT = 10;
const [LEAST_TOKENS, MOST_TOKENS] = [200, 20_000];

/** A wish for a brief whose arguments have been checked. */
export interface BriefRequest {
  readonly projectSlug: string | null;
  /** Null where files, type or domain alone say what it is about. */
  readonly task: string | null;
  readonly subject: BriefSubject;
  readonly perPart: number;
  readonly maxTokens: number;
}

/** @throws AppError `invalid-input` that names the argument */
export const parseBrief = (input: BriefInput): BriefRequest => {
  const { limit, maxTokens } = input;
  if (limit < 1 || limit > MAX_BRIEF_LIMIT)
    throw refuse('limit', `\`limit\` is a whole number from 1 to ${MAX_BRIEF_LIMIT}.`);
  if (maxTokens < LEAST_TOKENS || maxTokens > MOST_TOKENS)
    throw refuse('range', `\`maxTokens\` is a whole number from ${LEAST_TOKENS} to ${MOST_TOKENS}.`);
  const task = input.task === undefined || input.task === null ? null : checkBytes(input.task, 'task', MAX_TASK_BYTES);
  const subject = {
    files: checkList(input.files, { name: 'files', max: 1_000, maxItems: 50 }),
    domain: checkOptionalText(input.domain, { name: 'domain', max: 100, oneLine: true }),
    taskType: input.type ?? null,
  };
  if (task === null && subject.files.length === 0 && subject.domain === null && subject.taskType === null)
    throw refuse('no-subject', 'Say what the brief is for: `task`, `files`, `type` or `domain`.');
  return {
    projectSlug: checkOptionalText(input.project, { name: 'project', max: 63, oneLine: true }),
    task,
    subject,
    perPart: limit,
    maxTokens,
  };
};
