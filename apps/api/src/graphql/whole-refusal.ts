import { HeaderMap } from '@apollo/server';
import type { GraphqlErrorCode } from '@tempera/client-kit';
import { GraphQLError } from 'graphql';
import { answerFor, type ErrorAnswer } from './format-error.js';

/** After so long a client may try again what was not possible just now. */
export const RETRY_SECONDS = 5;

/**
 * A request of which nothing was done says so to whoever reads no GraphQL: proxies, load balancers, generic clients. What
 * a resolver refuses stays 200, as GraphQL has it.
 */
const HTTP_STATUS: Readonly<Partial<Record<GraphqlErrorCode, number>>> = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  LIMIT_EXCEEDED: 429,
  UNAVAILABLE: 503,
};

/** HTTP's part of a refusal. */
export interface RefusalHead {
  readonly status: number;
  readonly headers: HeaderMap;
}

export const refusalHead = ({ code, details }: Pick<ErrorAnswer, 'code' | 'details'>): RefusalHead => {
  const headers = new HeaderMap();
  const seconds = details?.['retryAfterSeconds'];
  if (typeof seconds === 'number') headers.set('retry-after', String(seconds));
  else if (code === 'UNAVAILABLE') headers.set('retry-after', String(RETRY_SECONDS));
  return { status: HTTP_STATUS[code] ?? 500, headers };
};

/** The refusal of a whole request, before anything ran; Apollo takes status and headers from it. */
export const wholeRefusal = (error: unknown): GraphQLError => {
  const answer = answerFor(error);
  const originalError = error instanceof Error ? error : new Error('Something that is no error was thrown.');
  return new GraphQLError(answer.message, {
    originalError,
    extensions: { code: answer.code, http: refusalHead(answer) },
  });
};
