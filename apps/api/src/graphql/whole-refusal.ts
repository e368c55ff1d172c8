import { HeaderMap } from '@apollo/server';
import type { GraphqlErrorCode } from '@tempera/client-kit';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
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

const isNothing = (data: unknown): boolean =>
  data === undefined ||
  data === null ||
  (typeof data === 'object' && Object.values(data).every((part) => part === null));

const laterCodes: readonly unknown[] = ['UNAVAILABLE', 'LIMIT_EXCEEDED'] satisfies GraphqlErrorCode[];

/**
 * The head of an answer that ran and yielded nothing because of something that passes: the database is out, too much is
 * asked at once. Null for every other answer, whose errors concern a part of it.
 */
export const retryHead = (data: unknown, errors: readonly GraphQLFormattedError[] | undefined): RefusalHead | null => {
  if (errors === undefined || !isNothing(data)) return null;
  for (const { extensions } of errors) {
    const code = extensions?.['code'];
    const retryAfterSeconds = extensions?.['retryAfterSeconds'];
    const isTimed = typeof retryAfterSeconds === 'number';
    if (!laterCodes.includes(code) || (code === 'LIMIT_EXCEEDED' && !isTimed)) continue;
    return refusalHead({ code: code as GraphqlErrorCode, ...(isTimed ? { details: { retryAfterSeconds } } : {}) });
  }
  return null;
};
