import { beginSpan, endSpan, isTracing, withinSpan } from '@tempera/platform';
import type { RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentScope, type RequestScope } from '../graphql/request-scope.js';
import { isProbe, shownPath } from '../http/shown-path.js';
import { operationLabel } from './operation-label.js';
import { inFlight, outcomeOf, requests, requestSeconds } from './request-metrics.js';

const GRAPHQL = '/graphql';

/** What was asked, in words of our own: an operation of the list, or a path of the list. */
const labelOf = (request: IncomingMessage & { originalUrl?: string }, scope: RequestScope | undefined): string => {
  const path = shownPath(request.originalUrl ?? request.url);
  return path === GRAPHQL ? operationLabel(scope?.fields) : path;
};

/** Around one request: counted when its answer is sent, or its client has left. */
const count = (request: IncomingMessage, response: ServerResponse): void => {
  const scope = currentScope();
  const startedAt = performance.now();
  inFlight.inc();
  response.once('close', () => {
    inFlight.dec();
    const operation = labelOf(request, scope);
    const outcome = scope?.outcome ?? (response.writableFinished ? outcomeOf(response.statusCode) : 'UNAVAILABLE');
    requests.inc({ operation, outcome });
    requestSeconds.observe({ operation }, (performance.now() - startedAt) / 1_000);
  });
};

/** A span that everything done for the request lies within. */
const spanOf = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
  const scope = currentScope();
  const span = beginSpan('request', 'SERVER', { 'tempera.request_id': scope?.requestId ?? '' });
  response.once('close', () => {
    const operation = labelOf(request, scope);
    span.updateName(`${request.method === 'POST' ? 'POST' : 'GET'} ${operation}`);
    span.setAttributes({
      'http.response.status_code': response.statusCode,
      'tempera.operation': operation,
      'tempera.outcome': scope?.outcome ?? outcomeOf(response.statusCode),
    });
    endSpan(span);
  });
  withinSpan(span, next);
};

/** Counts and times each request, and makes a span of it where spans go somewhere. Probes are machines' own business. */
export const requestWatch = (): RequestHandler => (request, response, next) => {
  if (isProbe(request.url)) return next();
  count(request, response);
  if (isTracing()) spanOf(request, response, next);
  else next();
};
