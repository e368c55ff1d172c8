import { AsyncLocalStorage } from 'node:async_hooks';

/** Name of the connections a program has when they work for no request. */
export const APPLICATION = 'tempera';

const ids = new AsyncLocalStorage<string>();

/**
 * Whatever happens within `work` is done for this request, or this piece of the worker's or a loop's work: log lines say so,
 * and so does Postgres, as `application_name`, while a transaction of it is open.
 */
export const withRequestId = <T>(id: string, work: () => T): T => ids.run(id, work);

export const currentRequestId = (): string | undefined => ids.getStore();

/** How the work at hand is called in `pg_stat_activity` and in Postgres's own log; 63 bytes is all that it keeps. */
export const applicationName = (): string => {
  const id = currentRequestId();
  return id === undefined ? APPLICATION : `${APPLICATION} ${id}`;
};

/** What has room beside the application's name. */
export const MAX_REQUEST_ID = 63 - APPLICATION.length - 1;
