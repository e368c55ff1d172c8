import pg from 'pg';
import { durations, gauge } from './metrics.js';

/** The pools that are open, each with its door; one door has several where a process runs several services, as tests do. */
const pools = new Map<pg.Pool, string>();

const each = (read: (pool: pg.Pool) => number) => (set: (labels: { door: string }, value: number) => void) => {
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

type Connected = Parameters<typeof pg.Pool.prototype.connect>[0];

/** A pool that is looked at while it is open. */
export class WatchedPool extends pg.Pool {
  constructor(
    private readonly door: string,
    config: pg.PoolConfig,
  ) {
    super(config);
    pools.set(this, door);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const done = waits.startTimer({ door: this.door });
    if (callback === undefined) return super.connect().finally(done);
    super.connect((error, client, release) => {
      done();
      callback(error, client, release);
    });
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    pools.delete(this);
    return callback === undefined ? super.end() : super.end(callback);
  }
}
