import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EncoderPool } from '@tempera/platform';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, RefusedError } from '../support/graphql-client.js';

let api: TestApi;
let owner: GraphQLClient;

/** A database that fails in the way a name asks for: what no request could make it do. */
const FAULTS = `
create function fail_on_demand() returns trigger language plpgsql as $$
begin
  case new.display_name
    when 'unique' then raise exception using errcode = '23505', message = 'duplicate key value violates invitation_pkey', detail = 'Key (code_hash)=(secret)';
    when 'foreign' then raise exception using errcode = '23503', message = 'violates foreign key constraint on table invitation';
    when 'cast' then perform ('secret text of ' || new.display_name)::uuid;
    when 'column' then execute 'select no_such_column from invitation';
    when 'check' then raise exception using errcode = '23514', message = 'new row violates check', detail = 'Failing row contains (secret)';
    when 'slow' then perform pg_sleep(6);
    else null;
  end case;
  return new;
end $$;
create trigger fail_on_demand before insert on invitation for each row execute function fail_on_demand();
grant execute on function fail_on_demand() to mem_app;`;

beforeAll(async () => {
  api = await startTestApi({ profile: 'production' });
  owner = await createTenant(await api.operator(), 'Acme');
  await asSuperuser(api.database.adminUrl, (client) => client.query(FAULTS));
});
afterAll(() => api.close());

const INVITE = 'mutation ($name: String!) { inviteUser(input: { displayName: $name }) { code } }';
const LEAKS = /secret|invitation|column|constraint|select|insert|prisma|pg_|node_modules|\.ts|\.js|at /i;

describe('attack 3.6: faults of ours', () => {
  let attempts = 0;
  afterAll(() => reportAttack('3.6', attempts, { told: 0 }));

  it.each([
    ['a text', 'the table invitation at /srv/app/dist/main.js'],
    ['nothing', undefined],
    ['an object', { message: 'select * from memory', stack: 'at /srv/app/main.js' }],
    ['a foreign error', new TypeError("Cannot read 'column' of undefined in invitation")],
    ['a GraphQL error that nobody meant', new GraphQLError('select secret from invitation', { path: ['service'] })],
  ])('says of %s that was thrown no more than of anything else', async (_name, thrown) => {
    // Nothing of ours throws such things; a library may.
    vi.spyOn(EncoderPool.prototype, 'statuses').mockImplementationOnce(() => {
      throw thrown;
    });
    const refused = await owner.refused('{ service { version } }');
    expect(`${refused.message} ${refused.status}`).toBe('INTERNAL: Something went wrong on our side. 200');
    attempts += 1;
  });

  it.each(['unique', 'foreign', 'cast', 'column', 'check'])(
    'answers a %s error with a fixed text and an id',
    async (name) => {
      const refused = await owner.refused(INVITE, { name });
      expect(refused.code).toBe('INTERNAL');
      expect(refused.message).toBe('INTERNAL: Something went wrong on our side.');
      expect(refused.status).toBe(200);
      attempts += 1;
    },
  );

  it('says that the service is busy when a statement takes too long, and gives the connection back', async () => {
    const slow = await Promise.all(Array.from({ length: 5 }, () => owner.refused(INVITE, { name: 'slow' })));
    for (const refused of slow) {
      expect(refused).toBeInstanceOf(RefusedError);
      expect(refused.code).toBe('UNAVAILABLE');
      expect(refused.message).not.toMatch(LEAKS);
      attempts += 1;
    }
    await owner.send('{ me { user { id } } }');
  });

  it('logs where a fault was, with the id the caller got, and quotes no value', async () => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'fault-in-the-log',
        authorization: `Bearer ${await freshToken()}`,
      },
      body: JSON.stringify({ query: INVITE, variables: { name: 'cast' } }),
    });
    const answer = await response.text();
    expect(answer).toContain('"requestId":"fault-in-the-log"');
    expect(answer.replace('fault-in-the-log', '')).not.toMatch(LEAKS);
    const line = api
      .logged()
      .split('\n')
      .find((text) => text.includes('fault-in-the-log') && text.includes('INTERNAL'));
    expect(line).toContain('22P02');
    expect(line).toContain('insertInvitation');
    expect(api.logged()).not.toContain('secret text');
  });

  it('keeps what people write out of the log, when it is refused and when it is taken', async () => {
    await owner.refused(INVITE, { name: `zebra ${'x'.repeat(300)}` });
    await owner.refused('mutation ($name: Int!) { x(zebra: $name) }', { name: 'zebra' });
    await owner.refused('query ($first: Int!) { projects(first: $first) { nodes { id } } }', { first: 'zebra' });
    await owner.send('mutation { createProject(input: { slug: "p", name: "zebra" }) { id } }');
    expect(api.logged()).not.toContain('zebra');
  });
});

const freshToken = async (): Promise<string> => {
  const { createLoginCode } = await owner.send<{ createLoginCode: { code: string } }>(
    'mutation { createLoginCode { code } }',
  );
  const { login } = await owner.send<{ login: { accessToken: string } }>(
    'mutation ($code: String!) { login(input: { code: $code }) { accessToken } }',
    createLoginCode,
  );
  return login.accessToken;
};

describe('a database that is gone', () => {
  it('is alive, not ready, and answers UNAVAILABLE; it is ready again afterwards', async () => {
    const gone = await startTestApi();
    const client = await createTenant(await gone.operator(), 'Gone');
    expect((await fetch(`${gone.url}/readyz`)).status).toBe(200);
    // The migrate job of the next release is done, and its API is not there yet.
    await asSuperuser(gone.database.adminUrl, (admin) =>
      admin.query(`insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
        values ('next', 'x', now(), '29991231000000_of_the_next_release', 1)`),
    );
    expect((await fetch(`${gone.url}/readyz`)).status).toBe(200);
    const { name } = gone.database;
    await asSuperuser(api.database.adminUrl, async (admin) => {
      await admin.query(`alter database ${name} connection limit 0`);
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    });
    expect((await fetch(`${gone.url}/livez`)).status).toBe(200);
    // What answered two seconds ago may only be busy.
    const look = (): Promise<Response> => fetch(`${gone.url}/readyz`);
    await expect.poll(async () => (await look()).status, { timeout: 10_000 }).toBe(503);
    expect((await look()).headers.get('retry-after')).toBe('5');
    const refused = await client.refused('{ projects(first: 1) { nodes { id } } }');
    expect(refused.code).toBe('UNAVAILABLE');
    expect(refused.message).not.toMatch(/pg_|connection|econn|tempera_test/i);
    await asSuperuser(api.database.adminUrl, (admin) => admin.query(`alter database ${name} connection limit -1`));
    expect((await fetch(`${gone.url}/readyz`)).status).toBe(200);
    await client.send('{ projects(first: 1) { nodes { id } } }');
    await gone.close();
  });
});
