import { isAppError } from '@tempera/client-kit';
import type { Request, Response } from 'express';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDoors, type Doors, withinSignal } from '@tempera/platform';
import { requestDeadline } from '../../apps/api/src/http/request-deadline.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import { untilTrue } from '../support/programs.js';

let api: TestApi;
let owner: GraphQLClient;
let me: { tenantId: string; userId: string };
/** Doors whose own limit is far away, so that only the signal can end a statement. */
let patient: Doors;

beforeAll(async () => {
  api = await startTestApi();
  owner = await createTenant(await api.operator(), 'Acme');
  const answer = await owner.send<{ me: { user: { id: string }; tenant: { id: string } } }>(
    '{ me { user { id } tenant { id } } }',
  );
  me = { tenantId: answer.me.tenant.id, userId: answer.me.user.id };
  patient = createDoors({ appUrl: api.database.urls.app, poolSize: 3, statementTimeoutMs: 40_000 });
});
afterAll(async () => {
  await patient.close();
  await api.close();
});

/** Statements of the app that are running, by a word in their text. */
const running = (word: string): Promise<number> =>
  asSuperuser(api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and usename = 'mem_app'
        and state = 'active' and query like $1`,
      [`%${word}%`],
    );
    return Number(rows[0]?.count);
  });

const until = (what: string, holds: () => Promise<boolean>): Promise<void> => untilTrue(what, holds);

describe('attack 3.12: a client that leaves', () => {
  it('has its statement cancelled, and the connection serves the next', async () => {
    const end = new AbortController();
    const sleeping = withinSignal(end.signal, () =>
      patient.asTenant(me, (tx) => tx.$queryRaw`select pg_sleep(30)::text as slept`),
    );
    const outcome = sleeping.then(
      () => 'finished',
      (error: unknown) => error,
    );
    await until('it sleeps', async () => (await running('pg_sleep')) === 1);
    const start = performance.now();
    end.abort();
    expect(await outcome).toMatchObject({ kind: 'unavailable', code: 'request-given-up' });
    reportAttack(
      '3.12',
      1,
      { 'still running': await running('pg_sleep') },
      `cancelled after ${Math.round(performance.now() - start)} ms`,
    );
    expect(await running('pg_sleep')).toBe(0);
    for (let i = 0; i < 6; i += 1)
      expect(await patient.asTenant(me, (tx) => tx.memory.count({ where: { tenantId: me.tenantId } }))).toBe(0);
  });

  it('or asks for more than its time: given up as well, and told so', async () => {
    const server = createServer((request, response) => {
      const answer = async (): Promise<void> => {
        const outcome = await patient
          .asTenant(me, (tx) => tx.$queryRaw`select pg_sleep(30)::text as "sleptLong"`)
          .then(
            () => 'finished',
            (error: unknown) => (isAppError(error) ? error.code : 'strange'),
          );
        response.end(outcome);
      };
      requestDeadline(300)(request as Request, response as Response, () => void answer());
    });
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('request-given-up');
    expect(await running('sleptLong')).toBe(0);
    server.close();
  });

  it('begins nothing more: a door that opens after the end does not open', async () => {
    const end = new AbortController();
    end.abort();
    let began = false;
    const outcome = withinSignal(end.signal, () =>
      patient.asTenant(me, async () => {
        began = true;
        await Promise.resolve();
      }),
    );
    await expect(outcome).rejects.toMatchObject({ code: 'request-given-up' });
    expect(began).toBe(false);
  });

  it('cancels no one else: work beside it on the same pool goes on', async () => {
    const end = new AbortController();
    const left = withinSignal(end.signal, () =>
      patient.asTenant(me, (tx) => tx.$queryRaw`select pg_sleep(30)::text as slept`),
    ).catch(() => 'given up');
    const beside = patient.asTenant(me, (tx) => tx.$queryRaw`select pg_sleep(1)::text as "sleptBeside"`);
    await until('both sleep', async () => (await running('pg_sleep')) === 2);
    end.abort();
    expect(await left).toBe('given up');
    expect(await beside).toHaveLength(1);
  });

  it('is noticed over HTTP: what waits for its answer is gone from the database', async () => {
    await asSuperuser(api.database.adminUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table memory in access exclusive mode');
      const leave = new AbortController();
      const request = fetch(`${api.url}/graphql`, {
        method: 'POST',
        signal: leave.signal,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${(await owner.token()) ?? ''}` },
        body: JSON.stringify({ query: '{ memories(first: 1) { totalCount } }' }),
      }).catch(() => 'left');
      await until('it waits', async () => (await running('memory')) > 0);
      const start = performance.now();
      leave.abort();
      expect(await request).toBe('left');
      await until('it is gone', async () => (await running('memory')) === 0);
      reportAttack(
        '3.12',
        1,
        { 'still running': 0 },
        `over HTTP: gone after ${Math.round(performance.now() - start)} ms`,
      );
      await client.query('rollback');
    });
    expect(
      (await owner.send<{ memories: { totalCount: number } }>('{ memories(first: 1) { totalCount } }')).memories
        .totalCount,
    ).toBe(0);
  });

  it('a statement that costs too much ends by itself, as unavailable and with when to come back', async () => {
    const sleeping = api.database.doors.asTenant(me, (tx) => tx.$queryRaw`select pg_sleep(30)::text as slept`);
    await expect(sleeping).rejects.toMatchObject({ kind: 'unavailable' });
    await asSuperuser(api.database.adminUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table memory in access exclusive mode');
      const response = await fetch(`${api.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${(await owner.token()) ?? ''}` },
        body: JSON.stringify({ query: '{ memories(first: 1) { totalCount } }' }),
      });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('5');
      const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
      expect(errors[0]?.extensions.code).toBe('UNAVAILABLE');
      await client.query('rollback');
    });
  });
});
