import { type AppError, type AppErrorKind, errorTable, type GraphqlErrorCode, isAppError } from '@tempera/client-kit';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

/** Shown for everything that nobody foresaw; the request id leads to the log line that says more. */
export const INTERNAL_MESSAGE = 'Something went wrong on our side.';

/** What Apollo itself refuses before a resolver runs: each is a request to be written differently. */
const REFUSED_REQUEST = new Set<unknown>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'PERSISTED_QUERY_NOT_FOUND',
]);

/** An error as one request's answer shows it, and where it came from. */
export interface ErrorAnswer {
  readonly kind: AppErrorKind;
  readonly code: GraphqlErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** GraphQL wraps what a resolver threw, sometimes more than once. */
export const originOf = (error: unknown): unknown => {
  let origin = error;
  while (origin instanceof GraphQLError && origin.originalError !== undefined && origin.originalError !== origin) {
    origin = origin.originalError;
  }
  return origin;
};

const ofAppError = ({ kind, code, message, details }: AppError): ErrorAnswer =>
  kind === 'internal'
    ? internal
    : { kind, code: errorTable[kind].graphqlCode, message, details: { reason: code, ...details } };

const internal: ErrorAnswer = { kind: 'internal', code: 'INTERNAL', message: INTERNAL_MESSAGE };

/** graphql-js proposes names it knows; an outsider shall not learn the schema that way. */
const badInput = (message: string): ErrorAnswer => ({
  kind: 'invalid-input',
  code: 'BAD_USER_INPUT',
  message: message.replace(/ ?Did you mean [^?]*\?/, ''),
});

/**
 * The one decision what a caller learns about an error: an {@link AppError} by the table; a request that GraphQL itself
 * refused, as bad input; everything else a fixed text, because nobody wrote it for this reader.
 */
export const answerFor = (error: unknown): ErrorAnswer => {
  const origin = originOf(error);
  if (isAppError(origin)) return ofAppError(origin);
  if (!(error instanceof GraphQLError) || !(origin instanceof GraphQLError)) return internal;
  // No path: it arose before any resolver, from the document or its variables. An argument that turns out wrong only
  // when its field runs has a path, and graphql-js says so in words alone.
  const refused = REFUSED_REQUEST.has(error.extensions['code']) || error.path === undefined;
  return refused || origin.message.startsWith('Argument "') ? badInput(origin.message) : internal;
};

/** When to try again, where a client looks for it first. */
const retryOf = ({ details }: ErrorAnswer): { readonly retryAfterSeconds?: number } => {
  const seconds = details?.['retryAfterSeconds'];
  return typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {};
};

/** The answer's error in GraphQL's form. */
export const toFormattedError = (
  answer: ErrorAnswer,
  formatted: Partial<GraphQLFormattedError>,
  requestId: string,
): GraphQLFormattedError => ({
  message: answer.message,
  ...(formatted.locations === undefined || answer.kind === 'internal' ? {} : { locations: formatted.locations }),
  ...(formatted.path === undefined ? {} : { path: formatted.path }),
  extensions: {
    code: answer.code,
    requestId,
    ...retryOf(answer),
    ...(answer.details === undefined ? {} : { details: answer.details }),
  },
});
