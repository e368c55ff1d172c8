import { AppError } from '@tempera/client-kit';
import type { RequestHandler } from 'express';
import { answerFor, toFormattedError } from '../graphql/format-error.js';
import { currentScope } from '../graphql/request-scope.js';

/** The header in which our own client says its version; programs of others need not send it. */
export const CLIENT_VERSION_HEADER = 'x-tempera-client';

const VERSION = /^(\d{1,6})\.\d{1,6}\.\d{1,6}(?:[-+][\w.+-]{1,60})?$/;

const refusalOf = (client: string, service: string): AppError | undefined => {
  const major = VERSION.exec(client)?.[1];
  if (major === undefined) {
    const message = `${CLIENT_VERSION_HEADER} is no version, such as ${service}.`;
    return new AppError('invalid-input', 'client-version', message);
  }
  if (Number(major) === Number(VERSION.exec(service)?.[1])) return undefined;
  const upgrade = `git fetch --tags && git checkout v${service} && npm ci && npm run build`;
  const message = `This client is version ${client} and the service ${service}: they do not speak the same language. In the client's checkout run: ${upgrade}`;
  return new AppError('conflict', 'client-version', message, { details: { serviceVersion: service, upgrade } });
};

/**
 * Refuses a client of another major version before anything of its request is read, so that no resolver has to wonder
 * what it was sent, and no half-understood write is done.
 */
export const clientVersion = (service: string): RequestHandler => {
  return (request, response, next) => {
    const client = request.get(CLIENT_VERSION_HEADER);
    const refusal = client === undefined ? undefined : refusalOf(client, service);
    if (refusal === undefined) return next();
    const requestId = currentScope()?.requestId ?? '';
    response
      .status(refusal.kind === 'conflict' ? 409 : 400)
      .json({ errors: [toFormattedError(answerFor(refusal), {}, requestId)] });
  };
};
