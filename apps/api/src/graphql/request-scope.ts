import { MAX_REQUEST_ID, withRequestId } from '@tempera/platform';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Outcome } from '../telemetry/request-metrics.js';

/** What belongs to one request and is needed where no context object reaches: error texts and log lines. */
export interface RequestScope {
  readonly requestId: string;
  /** Root fields of the operation, for the log and the measurements; never its arguments. */
  fields?: readonly string[];
  /** The first code that its caller was told; absent: none. */
  outcome?: Outcome;
}

const scopes = new AsyncLocalStorage<RequestScope>();

export const runInScope = <T>(scope: RequestScope, work: () => T): T =>
  withRequestId(scope.requestId, () => scopes.run(scope, work));

/** The scope of the request being answered; undefined outside of one. */
export const currentScope = (): RequestScope | undefined => scopes.getStore();

/** Of signs that may stand in a log and in Postgres, as many; and no secret of ours, which somebody put into the wrong header. */
const ACCEPTED_ID = new RegExp(`^(?!tmem_)[A-Za-z0-9._-]{8,${MAX_REQUEST_ID}}$`);

/** The id the client sent in `x-request-id`, when it is one that may stand in a log, else a fresh one. */
export const requestIdFrom = (header: unknown, fresh: () => string): string =>
  typeof header === 'string' && ACCEPTED_ID.test(header) ? header : fresh();
