import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.js';
import { keptName } from './kept-statements.js';
import { watchPool } from './pool-watch.js';
import { APPLICATION } from '../telemetry/request-id.js';
import { traceStatements } from './statement-spans.js';
import { isTracing } from '../telemetry/tracing.js';

/** One login's way to the database: a bounded pool and the Prisma client over it. */
export interface Connection {
  readonly client: PrismaClient;
  readonly pool: pg.Pool;
  /** Transactions that were asked for and have no connection yet. The pool's own number lags behind a burst. */
  readonly queue: { waiting: number };
  /** When a transaction last got an answer, by `performance.now()`. */
  readonly life: { answeredAt: number };
  /** Cancels the statement of a transaction, while that transaction is open; on a connection of its own. */
  readonly cancel: (transaction: OpenTransaction) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A transaction as the server knows it: whoever has the connection next has the same backend and another beginning. */
export interface OpenTransaction {
  readonly pid: number;
  /** Its `now()`, as text. */
  readonly startedAt: string;
}

/** Bounds of one pool; every wait ends (docs/design.md D2). */
export interface ConnectOptions {
  /** `postgresql://user:password@host:port/database`, or with `?host=/folder` for a Unix socket. */
  readonly url: string;
  /** The role that works here, as it is called in measurements. */
  readonly door: string;
  readonly poolSize: number;
  /** How long a caller waits for a free connection before it is told that the service is busy. */
  readonly maxWaitMs: number;
  /**
   * How long a statement's answer is waited for: more than the server's own limit on statements. Without it a connection
   * that was lost in silence would hold its place in the pool for good.
   */
  readonly answerTimeoutMs: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly onIdleError: (error: Error) => void;
  /** False for the embedded database: its one backend runs one statement at a time, so a second could cancel none. */
  readonly canCancel?: boolean;
  /** Told of each statement as it was sent, with its parameters' places and not their values. */
  readonly onStatement?: (statement: Statement) => void;
}

/** One statement that ran. */
export interface Statement {
  readonly sql: string;
  readonly durationMs: number;
}

/**
 * Opens a pool. Nothing is connected yet; the first door that is used does that.
 *
 * Timeouts of statements are not set here but by each transaction's first statement: startup parameters are refused by
 * PgBouncer and ignored by PGlite, and a bad value in them is only a warning.
 */
export const connect = (options: ConnectOptions): Connection => {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.maxWaitMs,
    idleTimeoutMillis: 30_000,
    query_timeout: options.answerTimeoutMs,
    keepAlive: true,
    application_name: APPLICATION,
  });
  const unwatch = watchPool(options.door, pool);
  // The pool listens to idle connections only. One that breaks while it is being closed would otherwise be an error nobody
  // listens to, and end the process; whoever waits for an answer on it is told by that answer.
  pool.on('connect', (connection) => {
    connection.on('error', () => undefined);
    if (isTracing()) traceStatements(connection);
  });
  const adapter = new PrismaPg(pool, {
    onPoolError: options.onIdleError,
    onConnectionError: options.onIdleError,
    // All connections of the embedded database are one backend, where a name would be taken already.
    ...(options.canCancel === false ? {} : { statementNameGenerator: keptName }),
  });
  const client = openClient(adapter, options.onStatement);
  const canceller = options.canCancel === false ? undefined : createCanceller(options);
  let closing: Promise<void> | undefined;
  const disconnect = async (): Promise<void> => {
    unwatch();
    await client.$disconnect();
    await pool.end();
    await canceller?.end();
  };
  const close = (): Promise<void> => (closing ??= disconnect());
  const cancel = async ({ pid, startedAt }: OpenTransaction): Promise<void> => {
    await canceller?.query(
      'select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and xact_start = $2::timestamptz',
      [pid, startedAt],
    );
  };
  return { client, pool, queue: { waiting: 0 }, life: { answeredAt: Number.NEGATIVE_INFINITY }, cancel, close };
};

/** One connection apart, since it is the others being busy that makes cancelling necessary; gone when there is none. */
const createCanceller = ({ url, maxWaitMs, onIdleError }: ConnectOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: maxWaitMs,
    query_timeout: maxWaitMs,
    idleTimeoutMillis: 5_000,
    allowExitOnIdle: true,
    application_name: 'tempera-cancel',
  });
  return pool.on('error', onIdleError);
};

/** Prisma collects statements only where somebody listens. */
const openClient = (adapter: PrismaPg, onStatement: ConnectOptions['onStatement']): PrismaClient => {
  if (onStatement === undefined) return new PrismaClient({ adapter, errorFormat: 'minimal' });
  const log = [{ emit: 'event', level: 'query' }] as const;
  const client = new PrismaClient({ adapter, errorFormat: 'minimal', log: [...log] });
  client.$on('query', ({ query, duration }) => onStatement({ sql: query, durationMs: duration }));
  return client;
};
