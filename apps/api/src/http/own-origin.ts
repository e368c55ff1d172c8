import { AppError } from '@tempera/client-kit';
import type { RequestHandler } from 'express';
import { answerFor, toFormattedError } from '../graphql/format-error.js';
import { currentScope } from '../graphql/request-scope.js';

/**
 * Refuses what a browser sends from a page that is not ours, before anything of it is read. Withholding leave to read the
 * answer would not do: a page that got hold of a token could still have an operation run. Programs name no origin.
 */
export const ownOrigin = (publicUrl: string): RequestHandler => {
  const ours = new URL(publicUrl).origin;
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || origin === ours) return next();
    const refusal = new AppError('forbidden', 'foreign-origin', 'Pages of another origin do not call this service.');
    const requestId = currentScope()?.requestId ?? '';
    response.status(403).json({ errors: [toFormattedError(answerFor(refusal), {}, requestId)] });
  };
};
