import type { Logger } from '@tempera/platform';
import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Options, pinoHttp } from 'pino-http';
import { currentScope, requestIdFrom, runInScope } from '../graphql/request-scope.js';

const PROBES = new Set(['/livez', '/readyz']);
const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';

/**
 * The paths that are ours. Any other is logged as one word: what people paste behind an address by mistake may be a code
 * or a token.
 */
const PATHS = new Set([
  ...['/graphql', '/.well-known/jwks.json', '/oauth/device_authorization', '/oauth/token', '/invite', '/sign-in'],
  ...['/sign-out', '/device', '/device/check', '/device/approve', '/device/deny'],
  ...['/auth/oidc/start', '/auth/oidc/link', '/auth/oidc/callback', '/auth/oidc/tenant', ...PROBES],
]);
const shownPath = (url: string | undefined): string => {
  const path = pathOf(url);
  return PATHS.has(path) ? path : 'other';
};

const options = (logger: Logger): Options => ({
  logger,
  genReqId: () => currentScope()?.requestId ?? 'none',
  autoLogging: { ignore: ({ url }) => PROBES.has(pathOf(url)) },
  customLogLevel: (_request, response, error) => (error !== undefined || response.statusCode >= 500 ? 'error' : 'info'),
  customProps: () => {
    const operation = currentScope()?.operation;
    return operation === undefined ? {} : { operation };
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
