import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { errorTable, isAppError } from '@tempera/client-kit';
import type { Logger } from '@tempera/platform';

/** Tries of an error nobody foresaw: about four minutes with the back-off of workflows/activities.ts. */
const MAX_UNFORESEEN_ATTEMPTS = 10;

/** Where an error came up. */
export interface AttemptContext {
  readonly activity: string;
  readonly attempt: number;
  readonly workflowId: string;
  readonly logger: Logger;
  readonly newId: () => string;
}

/**
 * An error as the workflow engine may know and store it: a kind and a sentence, whether to try again, and for what nobody
 * foresaw only a number to look up in the log. The log level is the error's.
 */
export const asFailure = (error: unknown, context: AttemptContext): Error => {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  const { activity, attempt, workflowId, logger } = context;
  if (isAppError(error) && error.kind !== 'internal') {
    const { retryable, logLevel } = errorTable[error.kind];
    logger[logLevel]({ err: error, activity, attempt, workflowId }, 'activity refused');
    return ApplicationFailure.create({ message: error.message, type: error.code, nonRetryable: !retryable });
  }
  const correlationId = context.newId();
  logger.error({ err: error, activity, attempt, workflowId, correlationId }, 'activity failed');
  return ApplicationFailure.create({
    message: `Something went wrong on our side (${correlationId}).`,
    type: 'internal',
    nonRetryable: attempt >= MAX_UNFORESEEN_ATTEMPTS,
  });
};
