import type { Logger } from '@tempera/platform';
import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Options, pinoHttp } from 'pino-http';
import { currentScope, requestIdFrom, runInScope } from '../graphql/request-scope.js';
import { isProbe, shownPath } from './shown-path.js';

const options = (logger: Logger): Options => ({
  logger,
  genReqId: () => currentScope()?.requestId ?? 'none',
  autoLogging: { ignore: ({ url }) => isProbe(url) },
  customLogLevel: (_request, response, error) => (error !== undefined || response.statusCode >= 500 ? 'error' : 'info'),
  customProps: () => {
    const fields = currentScope()?.fields;
    return fields === undefined ? {} : { operation: fields.slice(0, 8).join(',') };
  },
  // Only what can hold nobody's words: no query string (it may be a GraphQL document), no headers, no body.
  wrapSerializers: false,
  serializers: {
    req: ({ id, method, url }: IncomingMessage & { readonly id: unknown }) => ({ id, method, path: shownPath(url) }),
    res: ({ statusCode }: ServerResponse) => ({ statusCode }),
  },
});

/** Gives each request its id, sends it back, and writes one line when it is answered. */
export const requestLog = (logger: Logger): RequestHandler[] => {
  const log = pinoHttp(options(logger));
  return [
    (request, response, next) => {
      const requestId = requestIdFrom(request.headers['x-request-id'], randomUUID);
      response.setHeader('x-request-id', requestId);
      runInScope({ requestId }, next);
    },
    (request, response, next) => log(request, response, next),
  ];
};
