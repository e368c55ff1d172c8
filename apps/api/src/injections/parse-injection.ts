import { checkBytes, checkList, checkOptionalText, checkText, refuse } from '../memories/check-input.js';
import type { InjectForPromptInput, StartSessionInput } from './injection.types.js';

const MAX_PROMPT_BYTES = 8_192;
const MAX_LIMIT = 10;
/** Branches that say nothing of the work done on them. */
const PLAIN_BRANCH = /^(?:main|master|trunk|develop(?:ment)?|dev|head|staging|production|release)$/i;

export interface StartWish {
  readonly projectSlug: string;
  readonly sessionKey: string;
  readonly files: readonly string[];
  /** What the branch and the files say in words; null: nothing. */
  readonly subject: string | null;
}

export interface PromptWish {
  readonly projectSlug: string;
  readonly sessionKey: string;
  readonly promptKey: string;
  readonly prompt: string;
  readonly limit: number;
}

const slug = (value: string): string => checkText(value, { name: 'project', max: 63, oneLine: true });
const name = (value: string, field: string): string => checkText(value, { name: field, max: 200, oneLine: true });

/** @throws AppError `invalid-input` that names the argument */
export const parseStart = (input: StartSessionInput): StartWish => {
  const branch = checkOptionalText(input.branch, { name: 'branch', max: 300, oneLine: true });
  const files = checkList(input.files ?? [], { name: 'files', max: 1_000, maxItems: 50 });
  const telling = branch === null || PLAIN_BRANCH.test(branch) ? [] : [branch.replaceAll(/[/_-]+/g, ' ')];
  const subject = [...telling, ...files].join('\n');
  return {
    projectSlug: slug(input.project),
    sessionKey: name(input.sessionKey, 'sessionKey'),
    files,
    subject: subject === '' ? null : subject,
  };
};

/** @throws AppError `invalid-input` that names the argument */
export const parsePrompt = (input: InjectForPromptInput): PromptWish => {
  const { limit } = input;
  if (limit < 1 || limit > MAX_LIMIT) throw refuse('limit', `\`limit\` is a whole number from 1 to ${MAX_LIMIT}.`);
  return {
    projectSlug: slug(input.project),
    sessionKey: name(input.sessionKey, 'sessionKey'),
    promptKey: name(input.promptKey, 'promptKey'),
    prompt: checkBytes(input.prompt, 'prompt', MAX_PROMPT_BYTES),
    limit,
  };
};
