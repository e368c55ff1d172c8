import { AppError } from '@tempera/client-kit';
import { isUtf8 } from 'node:buffer';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { answerFor, toFormattedError } from '../graphql/format-error.js';
import { MAX_BODY_BYTES } from '../graphql/limits/limit-rule.js';
import { currentScope } from '../graphql/request-scope.js';

/** Decoding would put a replacement character for what is no UTF-8, and the text kept would not be the text sent. */
const requireUtf8 = (_request: unknown, _response: unknown, body: Buffer, encoding: string): void => {
  if (encoding !== 'utf-8' || !isUtf8(body)) throw Object.assign(new Error('The body is not UTF-8.'), { status: 415 });
};

/** Reads JSON in UTF-8 up to the limit; whatever else is sent stays unread, and whoever reads the body refuses its absence. */
export const jsonBody: RequestHandler = express.json({
  limit: MAX_BODY_BYTES,
  type: 'application/json',
  verify: requireUtf8,
});

const statusOf = (error: unknown): number => {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 400;
};

const messageOf = (status: number): string => {
  if (status === 413) return `A request is at most ${MAX_BODY_BYTES} bytes long.`;
  if (status === 415) return 'Send JSON in UTF-8.';
  return 'The body is not JSON that can be read.';
};

/** What was wrong with a body that could not be read, and the HTTP status that says it. */
export const bodyFault = (error: unknown): { readonly status: number; readonly message: string } => {
  const status = statusOf(error);
  return { status, message: messageOf(status) };
};

/** A body that could not be read is answered in GraphQL's shape, like every other refusal. */
export const graphqlBodyRefused: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const { status, message } = bodyFault(error);
  const answer = answerFor(new AppError('invalid-input', 'request-body', message));
  const requestId = currentScope()?.requestId ?? '';
  response.status(status).json({ errors: [toFormattedError(answer, {}, requestId)] });
};
