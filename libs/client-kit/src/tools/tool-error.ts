import { AppError, errorTable, isAppError } from '../app-error.js';
import { plainLine } from '../untrusted-text.js';

/** What a tool or a command tells of an error: never more than the caller may know. */
export interface ToldError {
  readonly error: AppError;
  /** One line for people and agents: what, and how to fix it. */
  readonly text: string;
}

const FIX_KEY = 'fix';

/**
 * Turns whatever was thrown into an error to tell. An AppError may carry its own advice as `details.fix`; else the advice
 * of its kind is given. Anything else becomes `internal` with a fixed text.
 */
export const tellError = (thrown: unknown): ToldError => {
  const error = isAppError(thrown)
    ? thrown
    : new AppError('internal', 'unexpected', 'Something went wrong in the tempera client.', { cause: thrown });
  const own = error.details[FIX_KEY];
  const fix = typeof own === 'string' ? own : errorTable[error.kind].mcpHint;
  const correlation = error.details['requestId'];
  const isOurs = error.kind === 'internal' || error.kind === 'unavailable';
  const reference = isOurs && typeof correlation === 'string' ? ` (correlation id ${plainLine(correlation, 64)})` : '';
  return { error, text: `${plainLine(error.message, 600)}${reference} ${fix}` };
};
