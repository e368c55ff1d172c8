import type { NewTurn, TurnTool } from '@tempera/platform';
import { checkCount, checkOptionalText, checkText, refuse } from '../memories/check-input.js';
import type { TurnInput, TurnToolInput } from './turn.types.js';

const MAX_SAID_BYTES = 65_536;
const MAX_TOOLS = 100;
const MAX_TOOL_TEXT = 1_000;
const MAX_ERROR = 500;
/** As for captures: clocks of clients differ. */
const MAX_AHEAD_MS = 24 * 3_600_000;

/** A turn whose arguments have been checked; where it belongs is not known yet. */
export interface TurnDraft extends Omit<NewTurn, 'tenantId' | 'userId' | 'projectId' | 'now'> {
  readonly key: string;
  readonly projectSlug: string | null;
}

/** @throws AppError `invalid-input` that names the argument */
export const parseTurn = (input: TurnInput, now: Date): TurnDraft => {
  const name = (field: 'key' | 'sessionKey' | 'promptKey'): string =>
    checkText(input[field], { name: field, max: 200, oneLine: true });
  if (input.at.getTime() > now.getTime() + MAX_AHEAD_MS) throw refuse('date-ahead', '`at` lies in the future.');
  checkCount(input.tools, 'tools', MAX_TOOLS);
  return {
    key: name('key'),
    projectSlug: checkOptionalText(input.project, { name: 'project', max: 63, oneLine: true }),
    sessionKey: name('sessionKey'),
    promptKey: name('promptKey'),
    at: input.at,
    ...parseSaid(input),
    tools: input.tools.map(toTool),
    branch: checkOptionalText(input.branch, { name: 'branch', max: 300, oneLine: true }),
    client: checkText(input.client, { name: 'client', max: 100, oneLine: true }),
    isBackfill: input.isBackfill ?? false,
  };
};

/** Either may be empty: a turn can be cut off, or hold no words of the person. */
const parseSaid = ({ prompt, answer, tools }: TurnInput): Pick<TurnDraft, 'prompt' | 'answer'> => {
  for (const [field, text] of Object.entries({ prompt, answer })) {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_SAID_BYTES) {
      throw refuse('text-too-long', `\`${field}\` may have ${MAX_SAID_BYTES} bytes in UTF-8; this one has ${bytes}.`);
    }
  }
  if (prompt.trim() === '' && answer.trim() === '' && tools.length === 0)
    throw refuse('turn-empty', 'Nothing was said in this turn.');
  return { prompt, answer };
};

const toTool = ({ name, file, command, error, resolution }: TurnToolInput): TurnTool => ({
  name: cut(name, MAX_TOOL_TEXT) ?? 'unknown',
  file: cut(file, MAX_TOOL_TEXT),
  command: cut(command, MAX_TOOL_TEXT),
  error: cut(error, MAX_ERROR),
  resolution: cut(resolution, MAX_TOOL_TEXT),
});

/** By whole characters; null for what says nothing. */
const cut = (text: string | null | undefined, max: number): string | null => {
  if (text === null || text === undefined || text.trim() === '') return null;
  return text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join('');
};
