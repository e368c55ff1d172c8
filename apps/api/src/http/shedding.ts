import { AppError } from '@tempera/client-kit';
import type { RequestHandler } from 'express';
import { answerFor, toFormattedError } from '../graphql/format-error.js';
import { currentScope } from '../graphql/request-scope.js';
import { refusalHead } from '../graphql/whole-refusal.js';
import { refusals } from '../telemetry/request-metrics.js';
import { isProbe } from './shown-path.js';

/**
 * Requests that one process answers at once. Each holds its body and its answer in memory, and behind a pool of ten
 * connections the last of so many would not be answered within its time.
 */
export const MAX_IN_FLIGHT = 512;

/**
 * Turns a request away, unread, while as many as there is room for are being answered: it is told at once that and when to
 * try again, instead of making everybody late (docs/design.md D2). Probes are always answered.
 */
export const shedding = (most: number = MAX_IN_FLIGHT): RequestHandler => {
  let open = 0;
  return (request, response, next) => {
    if (isProbe(request.url)) return next();
    if (open >= most) {
      const answer = answerFor(new AppError('unavailable', 'too-busy', 'The service is busy; try again in a moment.'));
      const { status, headers } = refusalHead(answer);
      refusals.inc({ kind: 'shed', reason: 'too-busy' });
      response.status(status).set(Object.fromEntries(headers));
      response.json({ errors: [toFormattedError(answer, {}, currentScope()?.requestId ?? '')] });
      return;
    }
    open += 1;
    response.once('close', () => (open -= 1));
    next();
  };
};
