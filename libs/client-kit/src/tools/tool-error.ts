import { AppError, errorTable, isAppError } from '../app-error.js';
import { plainLine } from '../untrusted-text.js';

/** What a tool or a command tells of an error: never more than the caller may know. */
export interface ToldError {
  readonly error: AppError;
  /** One line for its reader: what, and how to fix it. */
  readonly text: string;
}

/** An agent calls a tool again; a person runs a command again. */
export type ErrorReader = 'agent' | 'person';

const FIX_KEYS = { agent: ['fix'], person: ['cliFix', 'fix'] } as const;

const adviceOf = (error: AppError, reader: ErrorReader): string => {
  const own = FIX_KEYS[reader].map((key) => error.details[key]).find((advice) => typeof advice === 'string');
  const { mcpHint, cliHint } = errorTable[error.kind];
  return own ?? (reader === 'agent' ? mcpHint : cliHint);
};

/**
 * Turns whatever was thrown into an error to tell. An AppError may carry its own advice as `details.fix`, and as
 * `details.cliFix` where a person needs other words; else the advice of its kind is given. Anything else becomes
 * `internal` with a fixed text.
 */
export const tellError = (thrown: unknown, reader: ErrorReader): ToldError => {
  const error = isAppError(thrown)
    ? thrown
    : new AppError('internal', 'unexpected', 'Something went wrong in the tempera client.', { cause: thrown });
  const correlation = error.details['requestId'];
  const isOurs = error.kind === 'internal' || error.kind === 'unavailable';
  const reference = isOurs && typeof correlation === 'string' ? ` (correlation id ${plainLine(correlation, 64)})` : '';
  return { error, text: `${plainLine(error.message, 600)}${reference} ${adviceOf(error, reader)}` };
};
