import { AppError } from '@tempera/client-kit';
import type { Prisma } from '../generated/prisma/client.js';
import { cancelledBy, currentSignal, currentWaits, givenUp } from './abort-scope.js';
import type { Connection, OpenTransaction } from './connect.js';
import { toAppError } from './database-errors.js';
import { applicationName } from '../telemetry/request-id.js';
import { withoutItsRollback } from './without-its-rollback.js';

/** What work inside a door may use: models and tagged raw SQL. The unsafe raw calls are not there. */
export type Tx = Omit<Prisma.TransactionClient, '$queryRawUnsafe' | '$executeRawUnsafe'>;

/** The database role of each door. */
export type DoorRole = 'mem_app' | 'mem_worker' | 'mem_text' | 'mem_operator';

/** Bounds of one transaction, in milliseconds. */
export interface TransactionLimits {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
  /** Prisma's own limit; above the others, because one that fires during COMMIT can end the process. */
  readonly transactionTimeoutMs: number;
  readonly maxWaitMs: number;
}

/** Who a transaction works for. Absent parts are the empty setting, which every policy reads as nobody. */
export interface DoorContext {
  readonly role: DoorRole;
  readonly tenantId?: string;
  readonly userId?: string;
}

/**
 * Transactions that may wait for a connection. A hundred of a few milliseconds each have their turn in a fraction of a
 * second; where more wait, the work at hand is slow, and who comes now would only wait to be refused.
 */
const MAX_WAITING = 128;

/** Takes a place among those who wait. @returns gives it back, once @throws AppError where there is none */
const queueUp = (queue: Connection['queue']): (() => void) => {
  if (queue.waiting >= MAX_WAITING) throw busy();
  queue.waiting += 1;
  const waited = currentWaits()?.begin();
  let isWaiting = true;
  return () => {
    if (isWaiting) queue.waiting -= 1;
    isWaiting = false;
    waited?.();
  };
};

const busy = (): AppError =>
  new AppError('unavailable', 'database-busy', 'Too much waits for the database; try again in a moment.');

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Refuses what is not a UUID: an undefined or empty id must stop here, not reach a query as "no filter". */
export const requireUuid = (value: unknown, name: string): string => {
  if (typeof value === 'string' && uuid.test(value)) return value;
  throw new AppError('internal', 'bad-door-identity', `A door was opened with a ${name} that is no UUID.`);
};

/**
 * Runs `work` in one transaction whose first statement says who asks. The settings are bind parameters and local to the
 * transaction; after it they are empty, so what runs outside finds nothing.
 *
 * Await nothing but SQL inside: no encoder, no HTTP, no Temporal; and no `Promise.all`, a transaction is one connection.
 * @throws AppError `unavailable` when the database cannot be reached, has no free connection or ran out of time
 */
export const inContext = async <T>(
  connection: Connection,
  limits: TransactionLimits,
  context: DoorContext,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => {
  const signal = currentSignal();
  const isOver = (): boolean => signal?.aborted ?? false;
  if (isOver()) throw givenUp();
  const maxWait = waitLeft(limits);
  const hasBegun = queueUp(connection.queue);
  const inside = async (tx: Tx): Promise<T> => {
    hasBegun();
    const transaction = await enter(tx, limits, context);
    connection.life.answeredAt = performance.now();
    if (signal === undefined || transaction === undefined) return work(tx);
    return cancelledBy(
      signal,
      () => connection.cancel(transaction),
      () => work(tx),
    );
  };
  const bounds = { maxWait, timeout: limits.transactionTimeoutMs };
  try {
    return await withoutItsRollback((failed) =>
      connection.client.$transaction((tx) => telling(failed, () => inside(tx)), bounds).finally(hasBegun),
    );
  } catch (error) {
    if (isOver() && !(error instanceof AppError)) throw givenUp(error);
    throw toAppError(error);
  }
};

const telling = async <T>(failed: (error: unknown) => void, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    failed(error);
    throw error;
  }
};

/** How long this transaction may wait for a connection: what those before it in the same request have left. */
const waitLeft = ({ maxWaitMs }: TransactionLimits): number => {
  const left = currentWaits()?.left(maxWaitMs) ?? maxWaitMs;
  if (left <= 0) throw busy();
  return Math.ceil(left);
};

const enter = async (tx: Tx, limits: TransactionLimits, context: DoorContext): Promise<OpenTransaction | undefined> => {
  const [transaction] = await tx.$queryRaw<
    OpenTransaction[]
  >`/* kept */ select set_config('role', ${context.role}, true),
    set_config('app.tenant_id', ${context.tenantId ?? ''}, true),
    set_config('app.user_id', ${context.userId ?? ''}, true),
    set_config('statement_timeout', ${String(limits.statementTimeoutMs)}, true),
    set_config('lock_timeout', ${String(limits.lockTimeoutMs)}, true),
    set_config('idle_in_transaction_session_timeout', ${String(limits.idleInTransactionTimeoutMs)}, true),
    set_config('application_name', ${applicationName()}, true),
    pg_backend_pid() as pid, now()::text as "startedAt"`;
  return transaction;
};
