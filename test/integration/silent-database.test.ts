import { createDoors, type Doors } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { makeOperator, makeTenant, type Person } from '../support/people.js';

const POOL = 2;

let database: TestDatabase;
let person: Person;
let proxy: FaultProxy;
let doors: Doors;

beforeAll(async () => {
  database = await openTestDatabase();
  person = (await makeTenant(database.doors, await makeOperator(database))).owner;
  proxy = await startFaultProxy(database.urls.app);
  doors = createDoors({ appUrl: proxy.url, poolSize: POOL, statementTimeoutMs: 100 });
});
afterAll(async () => {
  await doors.close();
  await proxy.close();
  await database.close();
});

const askAll = (): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(
    Array.from({ length: POOL }, () => doors.asTenant(person, (tx) => tx.$queryRaw`select pg_sleep(0.05)::text`)),
  );

describe('connections that fall silent without breaking', () => {
  it('fail as unavailable and give their places in the pool back, all of them', async () => {
    expect((await askAll()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    proxy.inflict({ kind: 'silence' });
    for (const outcome of await askAll()) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } });
    }
    proxy.heal();
    // As many at once as the pool has places: each must have been given back.
    await expect
      .poll(async () => (await askAll()).map(({ status }) => status), { timeout: 45_000 })
      .toEqual(['fulfilled', 'fulfilled']);
  }, 90_000);
});
