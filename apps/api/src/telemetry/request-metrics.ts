import { errorTable, type GraphqlErrorCode } from '@tempera/client-kit';
import { counter, durations, gauge } from '@tempera/platform';

/** How a request ended: `OK`, or the code that its caller was told. */
export type Outcome = 'OK' | GraphqlErrorCode;

export const requests = counter('tempera_requests_total', 'Requests, by what they asked for and how they ended.', [
  'operation',
  'outcome',
]);
export const requestSeconds = durations('tempera_request_duration_seconds', 'From a request to its answer.', [
  'operation',
]);
export const inFlight = gauge('tempera_requests_in_flight', 'Requests that are being answered.');
export const refusals = counter(
  'tempera_requests_refused_total',
  'Refusals that a caller may take back by waiting: over a limit, or more than there is room for.',
  ['kind', 'reason'],
);

const BY_STATUS: Readonly<Record<number, Outcome>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'LIMIT_EXCEEDED',
  503: 'UNAVAILABLE',
};

/** The outcome of an answer that no GraphQL error explains. */
export const outcomeOf = (status: number): Outcome => {
  if (status < 400) return 'OK';
  return BY_STATUS[status] ?? (status < 500 ? 'BAD_USER_INPUT' : errorTable.internal.graphqlCode);
};
