import { AppError } from '@tempera/client-kit';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { isUtf8 } from 'node:buffer';
import { httpAnswerFor } from './http-answer.js';

/** More than any form of ours needs. */
const MAX_FORM_BYTES = 8_192;
const MAX_FIELDS = 12;

const requireUtf8 = (_request: unknown, _response: unknown, body: Buffer, encoding: string): void => {
  if (encoding !== 'utf-8' || !isUtf8(body)) throw Object.assign(new Error('The form is not UTF-8.'), { status: 415 });
};

/** Reads a form in UTF-8. Only the routes of pages and of OAuth take one; /graphql never does. */
export const formBody: RequestHandler = express.urlencoded({
  extended: false,
  limit: MAX_FORM_BYTES,
  parameterLimit: MAX_FIELDS,
  type: 'application/x-www-form-urlencoded',
  verify: requireUtf8,
});

/** A form that could not be read: too long, of too many fields, or no UTF-8. */
export const formRefused: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const { status } = httpAnswerFor(error);
  const description = `Send a form of at most ${MAX_FORM_BYTES} bytes in UTF-8.`;
  response.status(status === 500 ? 400 : status).json({ error: 'invalid_request', error_description: description });
};

/** The fields of a posted form. */
export interface Form {
  /** The field, or `''` where it is missing. */
  readonly get: (name: string) => string;
}

/** @throws AppError `invalid-input` when a form is missing, or a field is given twice (RFC 6749, 3.2) */
export const formOf = (request: Request): Form => {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || !request.is('application/x-www-form-urlencoded')) {
    throw new AppError('invalid-input', 'form', 'Send a form (application/x-www-form-urlencoded).');
  }
  const fields = new Map<string, unknown>(Object.entries(body));
  for (const [name, value] of fields) {
    if (typeof value !== 'string')
      throw new AppError('invalid-input', 'form', `\`${name.slice(0, 40)}\` is given twice.`);
  }
  return { get: (name) => String(fields.get(name) ?? '') };
};
