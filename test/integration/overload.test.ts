import { isAppError } from '@tempera/client-kit';
import { type Identity, withinSignal } from '@tempera/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';

/** Tells a hang from an answer. The service promises two seconds; a machine that is busy with other suites says nothing of that. */
const HANG_MS = 20_000;
const SLOW = 200;

let api: TestApi;
let owner: GraphQLClient;
beforeAll(async () => {
  api = await startTestApi();
  owner = await createTenant(await api.operator(), 'Busy');
});
afterAll(() => api.close());

const codeOf = (error: unknown): unknown => (isAppError(error) ? error.code : undefined);

interface Told {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly reason: string;
}

const ask = async (query: string, patienceMs: number): Promise<Told> => {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${(await owner.token()) ?? ''}` },
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(patienceMs),
  });
  const text = await response.text();
  const reason = /"reason":"([a-z-]+)"/.exec(text)?.[1] ?? '';
  return { status: response.status, retryAfter: response.headers.get('retry-after'), reason };
};

/** On a connection of its own: within one transaction Postgres tells the same of others again and again. */
const atTheLock = (): Promise<number> =>
  asSuperuser(api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ held: number }>(
      `select count(*)::int as held from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.held ?? -1;
  });

const myIdentity = async (): Promise<Identity> => {
  const { me } = await owner.send<{ me: { user: { id: string }; tenant: { id: string } } }>(
    '{ me { user { id } tenant { id } } }',
  );
  return { tenantId: me.tenant.id, userId: me.user.id };
};

const MEMORIES = '{ memories(first: 1) { nodes { id } } }';
const PROJECTS = '{ projects(first: 1) { nodes { id } } }';

it('fault 6.5: while 200 slow queries hold the pool, others are told 503 and when to come again, and none hangs', async () => {
  // Who asks is believed for a few seconds from memory.
  expect((await ask(PROJECTS, HANG_MS)).status).toBe(200);
  let slow: Promise<Told[]> | undefined;
  await asSuperuser(api.database.adminUrl, async (client) => {
    await client.query('begin; lock table memory in access exclusive mode');
    slow = Promise.all(Array.from({ length: SLOW }, () => ask(MEMORIES, HANG_MS)));
    // As many as the pool has stand before the lock; the next one has no connection to be had.
    await expect.poll(atTheLock, { timeout: 2_500, interval: 50 }).toBe(5);
    const told = await ask(PROJECTS, HANG_MS);
    expect(told).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    expect((await fetch(`${api.url}/livez`)).status).toBe(200);
    await client.query('rollback');
  });
  const outcomes = (await slow) ?? [];
  expect(outcomes).toHaveLength(SLOW);
  expect(outcomes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  for (const { status, retryAfter } of outcomes) if (status === 503) expect(retryAfter).toMatch(/^\d+$/);
  await expect.poll(async () => (await ask(MEMORIES, HANG_MS)).status, { timeout: 10_000 }).toBe(200);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
}, 60_000);

it('lets 128 transactions wait for a connection, refuses the next at once, and has room again when they are through', async () => {
  const { doors } = api.database;
  const identity = await myIdentity();
  const work = (): Promise<unknown> => doors.asTenant(identity, (tx) => tx.$queryRaw`select pg_sleep(0.02)::text`);
  const outcomes = await Promise.allSettled(Array.from({ length: 150 }, work));
  const busy = outcomes.filter(
    (outcome) => outcome.status === 'rejected' && codeOf(outcome.reason) === 'database-busy',
  );
  expect(busy).toHaveLength(150 - 128);
  await work();
}, 60_000);

it('stays ready while more is asked than the database can answer, as long as it answers somebody', async () => {
  const { doors } = api.database;
  const identity = await myIdentity();
  let begun = 0;
  const work = (): Promise<unknown> =>
    doors.asTenant(identity, async (tx) => {
      begun += 1;
      return tx.$queryRaw`select pg_sleep(1.2)::text`;
    });
  const outcomes = Promise.allSettled(Array.from({ length: 120 }, work));
  await expect.poll(() => begun, { interval: 10 }).toBeGreaterThan(0);
  // A look of the same kind has no turn among so many.
  const look = doors.selfCheck().then(
    () => 'had its turn',
    (error: unknown) => codeOf(error),
  );
  const ready = await fetch(`${api.url}/readyz`);
  expect(await look).toMatch(/^database-(busy|unavailable)$/);
  expect(await ready.json()).toEqual({ status: 'ready' });
  await outcomes;
}, 60_000);

it('lets one request wait for connections once, however many transactions it has', async () => {
  const { doors } = api.database;
  const identity = await myIdentity();
  const hold = (): Promise<unknown> => doors.asTenant(identity, (tx) => tx.$queryRaw`select pg_sleep(2.5)::text`);
  const held = Promise.all(Array.from({ length: 5 }, hold));
  const ask = (): Promise<unknown> =>
    doors.asTenant(identity, (tx) => tx.$queryRaw`select 1 as one`).catch((error: unknown) => codeOf(error));
  const told = await withinSignal(new AbortController().signal, async () => [await ask(), await ask()]);
  expect(told).toEqual(['database-unavailable', 'database-busy']);
  await held;
}, 60_000);
