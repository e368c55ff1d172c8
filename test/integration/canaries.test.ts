import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { type CanaryTown, type Disturbance, openCanaryTown, visit, visits } from './canary-town.js';

const isFull = process.env['TEMPERA_FULL'] === '1';
const TENANTS = isFull ? 50 : 20;
const TURNS = isFull ? 100_000 : 500;
const DISTURBED_TURNS = isFull ? 10_000 : 300;
/** More than the pool has connections, in both forms; a busy machine sheds most of a hundred. */
const WIDTH = isFull ? 100 : 20;

let town: CanaryTown;
beforeAll(async () => {
  town = await openCanaryTown(TENANTS);
}, 600_000);
afterAll(() => town.api.close());

const say = (number: string, found: Awaited<ReturnType<typeof visits>>): void => {
  const { answered, refused, 'hung-up': hungUp, unavailable } = found.outcomes;
  const outcomes = `${answered} answered, ${refused} refused, ${hungUp} hung up, ${unavailable} unavailable`;
  const attempts = answered + refused + hungUp + unavailable;
  const note = `${TENANTS} tenants over ${WIDTH} connections: ${outcomes}`;
  reportAttack(number, attempts, { leaks: found.leaks.length }, note);
};

describe('tenants who all work at once over one small pool', () => {
  it('attack 1.4: never get a word of another', { timeout: 7_200_000 }, async () => {
    const found = await visits(TURNS, WIDTH, (turn) => visit(town, turn));
    say('1.4', found);
    expect(found.leaks).toEqual([]);
    expect(found.outcomes.answered).toBeGreaterThan(TURNS / 2);
    expect(found.outcomes.refused).toBeGreaterThan(0);
  });

  it(
    'attack 1.5: nor when clients hang up, send nonsense, and the database stalls',
    { timeout: 3_600_000 },
    async () => {
      const kinds: readonly Disturbance[] = ['hang-up', 'bad-input'];
      const disturbed = visits(DISTURBED_TURNS, WIDTH, (turn) =>
        visit(town, turn, turn % 10 === 0 ? kinds[(turn / 10) % kinds.length] : 'none'),
      );
      await stall(town.api.database.adminUrl);
      const found = await disturbed;
      say('1.5', found);
      expect(found.leaks).toEqual([]);
      expect(found.outcomes['hung-up']).toBeGreaterThan(0);
      // The pool is whole again: as many at once as it has connections are all answered, and nobody is left in a transaction.
      const after = await visits(2 * WIDTH, WIDTH, (turn) => visit(town, turn));
      expect(after.leaks).toEqual([]);
      await expect.poll(() => leftInTransaction(town.api.database.adminUrl), { timeout: 12_000 }).toBe(0);
    },
  );
});

/** Holds what every operation reads for longer than a statement may take, so that many time out. */
const stall = (adminUrl: string): Promise<void> =>
  asSuperuser(adminUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table memory, memory_stat in access exclusive mode');
    await client.query('select pg_sleep(3.5)');
    await client.query('commit');
  });

const leftInTransaction = async (adminUrl: string): Promise<number> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ left: number }>(
      `select count(*)::int as left from pg_stat_activity where datname = current_database() and state like 'idle in%'`,
    );
    return rows[0]?.left ?? -1;
  } finally {
    await client.end();
  }
};
