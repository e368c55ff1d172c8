import { withinSignal } from '@tempera/platform';
import type { RequestHandler } from 'express';

/** Longer than any request should take; the service gives up before most clients do. */
export const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Gives a request up when its client leaves or its time is over: the database's work for it is cancelled, and what has not
 * begun does not. The answer then says so for each part that is missing, so that what was done before is still told.
 */
export const requestDeadline =
  (timeoutMs: number = REQUEST_TIMEOUT_MS): RequestHandler =>
  (_request, response, next) => {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), timeoutMs);
    response.once('close', () => {
      clearTimeout(timer);
      if (!response.writableFinished) end.abort();
    });
    withinSignal(end.signal, next);
  };
