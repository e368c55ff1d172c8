import { errorTable } from '@tempera/client-kit';
import type { Logger } from '@tempera/platform';
import type { GraphQLFormattedError } from 'graphql';
import { answerFor, originOf, toFormattedError } from './format-error.js';
import { refusals } from '../telemetry/request-metrics.js';
import { currentScope } from './request-scope.js';

const NO_REQUEST = 'none';

/**
 * Makes Apollo's `formatError`: the answer for the caller, and one log line at the level that belongs to the kind. The
 * line holds no message of a bad request, since those quote what was sent.
 */
export const errorReporter =
  (logger: Logger) =>
  (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const answer = answerFor(error);
    const scope = currentScope();
    const requestId = scope?.requestId ?? NO_REQUEST;
    const { kind, code, details } = answer;
    if (scope !== undefined) scope.outcome ??= code;
    if (kind === 'limit-exceeded' || kind === 'unavailable') {
      refusals.inc({ kind: kind === 'unavailable' ? 'shed' : 'limited', reason: String(details?.['reason'] ?? kind) });
    }
    const line = { requestId, code, reason: details?.['reason'], path: formatted.path?.join('.') };
    const unexpected = kind === 'internal' || kind === 'unavailable';
    logger[errorTable[kind].logLevel](unexpected ? { ...line, err: originOf(error) } : line, 'request refused');
    return toFormattedError(answer, formatted, requestId);
  };
