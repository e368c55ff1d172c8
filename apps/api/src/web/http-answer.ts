import { type AppError, type AppErrorKind, isAppError } from '@tempera/client-kit';

/** HTTP status by kind, for the few routes that are no GraphQL. */
const STATUS: Readonly<Record<AppErrorKind, number>> = {
  'invalid-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'limit-exceeded': 429,
  unavailable: 503,
  internal: 500,
};

/** What a route tells of an error; what nobody foresaw is not quoted. */
export interface HttpAnswer {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  /** Seconds to wait, where waiting helps. */
  readonly retryAfter: number | null;
}

const retryAfterOf = ({ kind, details }: AppError): number | null => {
  const seconds = details['retryAfterSeconds'];
  if (typeof seconds === 'number') return Math.ceil(seconds);
  return kind === 'unavailable' ? 5 : null;
};

/** The answer to an error thrown on a route, by the one table of kinds. */
export const httpAnswerFor = (error: unknown): HttpAnswer => {
  if (isAppError(error) && error.kind !== 'internal') {
    const { code, message } = error;
    return { status: STATUS[error.kind], reason: code, message, retryAfter: retryAfterOf(error) };
  }
  // Express and Nest say with a status what was wrong with the request itself.
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { status, reason: 'request', message: 'This request cannot be read.', retryAfter: null };
  }
  return { status: 500, reason: 'internal', message: 'Something went wrong on our side.', retryAfter: null };
};
