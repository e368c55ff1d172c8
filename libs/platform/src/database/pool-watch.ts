import { durations, gauge } from '../telemetry/metrics.js';

/** What is looked at of a pool. */
export interface WatchedPool {
  readonly options: { readonly max: number };
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The pools that are open, each with its door; one door has several where a process runs several services, as tests do. */
const pools = new Map<WatchedPool, string>();

const each = (read: (pool: WatchedPool) => number) => (set: (labels: { door: string }, value: number) => void) => {
  for (const [pool, door] of pools) set({ door }, read(pool));
};

gauge(
  'tempera_database_connections_max',
  'Connections that a door may have.',
  ['door'],
  each((pool) => pool.options.max),
);
gauge(
  'tempera_database_connections_open',
  'Connections that a door has.',
  ['door'],
  each((pool) => pool.totalCount),
);
gauge(
  'tempera_database_connections_busy',
  'Connections that are at work.',
  ['door'],
  each((pool) => pool.totalCount - pool.idleCount),
);
gauge(
  'tempera_database_connections_awaited',
  'Transactions that wait for a free connection.',
  ['door'],
  each((pool) => pool.waitingCount),
);
const waits = durations('tempera_database_connection_wait_seconds', 'How long a free connection was waited for.', [
  'door',
]);

type Connect = (callback?: (...given: unknown[]) => void) => unknown;

/** Notes how long each connection was waited for, by either way to ask for one. */
const timeConnect = (pool: WatchedPool, door: string): void => {
  const connect = (Reflect.get(pool, 'connect') as Connect).bind(pool);
  const timed: Connect = (callback) => {
    const done = waits.startTimer({ door });
    if (callback === undefined) return (connect() as Promise<unknown>).finally(done);
    return connect((...given) => {
      done();
      callback(...given);
    });
  };
  Reflect.set(pool, 'connect', timed);
};

/** From now on the pool is looked at. @returns ends that, when it is closed */
export const watchPool = (door: string, pool: WatchedPool): (() => void) => {
  pools.set(pool, door);
  timeConnect(pool, door);
  return () => void pools.delete(pool);
};
