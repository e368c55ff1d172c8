/** Errors that a conversation tells of, and what put them right. */
import { errorFingerprint } from '../error-fingerprint.js';
import type { SaidInTurn } from './candidates.js';
import type { ResolvedError, Turn, TurnTool } from './conversation.js';
import { CAUSE_NAMED, FIXED_BY, REMEDY } from './cues.js';
import { bare } from './statements.js';

export const EDITING = /^(?:edit|multiedit|write|notebookedit|apply_patch|str_replace|create|update)/i;
/** Faults of the agent's own tools teach nobody anything. */
const OF_THE_TOOL =
  /tool_use_error|InputValidationError|has not been read yet|String to replace not found|has been modified since read|doesn't want to proceed|was rejected|interrupted by user|requested permissions|File does not exist\.|^(?:Error:? ?)?(?:Exit code \d+)?$|^Error$/i;
const LONGEST_PART = 300;
/** Shorter fingerprints ("error") stand anywhere. */
const LEAST_TO_COMPARE = 12;

/** An error in what was said or what tools answered, and what put it right, with the words that say so. */
export interface FoundError extends ResolvedError {
  readonly turn: number;
  readonly quotes: readonly string[];
}

export const cut = (text: string): string =>
  text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART - 1).trimEnd()}…` : text;

/** The errors of the turns from one on that stayed away once they were put right. */
export const resolvedErrors = (turns: readonly Turn[], said: readonly SaidInTurn[], from: number): FoundError[] =>
  standing(errorsIn(turns, said, from), turns);

const errorsIn = (turns: readonly Turn[], said: readonly SaidInTurn[], from: number): FoundError[] =>
  turns.flatMap((turn, index) => (index < from ? [] : [...ofTools(turn, index), ...ofWords(said[index], index)]));

const ofTools = ({ tools }: Turn, turn: number): FoundError[] =>
  tools.flatMap((tool, at) => {
    const { error } = tool;
    if (error === null || OF_THE_TOOL.test(error.trim())) return [];
    const line = tellingLine(error);
    const remedy = tool.resolution ?? remedyAfter(tools, at);
    if (line === null || remedy === null) return [];
    return [
      {
        error: cut(line),
        resolution: cut(bare(remedy)),
        turn,
        quotes: tool.resolution === null ? [line] : [line, tool.resolution],
      },
    ];
  });

/** The line of an output that names the error. */
const tellingLine = (output: string): string | null => {
  const lines = output.split('\n').map((line) => line.trim());
  const named = lines.find(
    (line) =>
      /error|exception|failed|fatal|panic|not found|denied|cannot|refused|unable/i.test(line) &&
      !OF_THE_TOOL.test(line),
  );
  return named !== undefined && errorFingerprint(named).length >= 8 ? named : null;
};

/** The same command that worked later, and what was edited in between. */
const remedyAfter = (tools: readonly TurnTool[], at: number): string | null => {
  const failed = tools[at];
  if (failed?.command == null) return null;
  const words = failed.command.trim();
  const worked = tools.findIndex((tool, index) => index > at && tool.error === null && tool.command?.trim() === words);
  const edited = tools
    .slice(at + 1, worked)
    .filter(({ name, file, error }) => EDITING.test(name) && file !== null && error === null);
  if (worked < 0 || edited.length === 0) return null;
  return `${words}: ${[...new Set(edited.map(({ file }) => file))].join(', ')}`;
};

const ofWords = (said: SaidInTurn | undefined, turn: number): FoundError[] =>
  (said?.answer ?? []).flatMap((statement, at, all) => {
    const { text, quote } = statement;
    const whole = FIXED_BY.exec(text);
    if (whole !== null) return [{ error: cut(whole[1] ?? ''), resolution: cut(whole[2] ?? ''), turn, quotes: [quote] }];
    const cause = CAUSE_NAMED.exec(text);
    const next = all.slice(at + 1, at + 3).find((other) => REMEDY.test(other.text) && !other.text.endsWith(':'));
    if (cause === null || next === undefined) return [];
    return [{ error: cut(cause[1] ?? cause[2] ?? ''), resolution: cut(next.text), turn, quotes: [quote, next.quote] }];
  });

/** Without what comes back in a later turn: then it was no remedy. */
const standing = (errors: readonly FoundError[], turns: readonly Turn[]): FoundError[] => {
  const known = new Set<string>();
  return errors.filter(({ error, turn }) => {
    const mark = errorFingerprint(error);
    if (known.has(mark)) return false;
    known.add(mark);
    return !cameBack(turns, turn);
  });
};

const ERROR_LINE = /\b(?:error|exception|failed|fatal|panic|traceback)\b|错误|报错|失败/iu;
const MOST_LINES = 2_000;

const fingerprintsIn = (prompt: string): string[] =>
  prompt
    .split('\n', MOST_LINES)
    .filter((line) => line.length < 500 && ERROR_LINE.test(line))
    .map(errorFingerprint)
    .filter((mark) => mark.length >= LEAST_TO_COMPARE);

/** Whether the error with which a person came is shown again later: what was done about it did not help. */
export const cameBack = (turns: readonly Turn[], turn: number): boolean => {
  const shown = new Set(fingerprintsIn(turns[turn]?.prompt ?? ''));
  return (
    shown.size > 0 && turns.slice(turn + 1).some(({ prompt }) => fingerprintsIn(prompt).some((mark) => shown.has(mark)))
  );
};

/** Whether a person shows an error. */
export const showsError = (prompt: string): boolean => fingerprintsIn(prompt).length > 0;
