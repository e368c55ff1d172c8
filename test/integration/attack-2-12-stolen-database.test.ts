import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { startDevice } from '../support/device.js';
import { createTenant, GraphQLClient, invitationCode } from '../support/graphql-client.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

/** Every row of every table as text, as a thief of the database would have it. */
const dump = (): Promise<string> =>
  asSuperuser(api.database.adminUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
      texts.push(...rows.map(({ line }) => line));
    }
    return texts.join('\n');
  });

it('attack 2.12: a stolen database holds no token and no code in clear', async () => {
  const owner = await createTenant(await api.operator(), 'Acme');
  const code = await invitationCode(owner, { displayName: 'Anna' });
  const { login } = await new GraphQLClient(api.url).send<{ login: { accessToken: string; refreshToken: string } }>(
    'mutation ($code: String!) { login(input: { code: $code }) { accessToken refreshToken } }',
    { code },
  );
  const { issueToken, createLoginCode } = await owner.send<
    Record<'issueToken' | 'createLoginCode', { secret: string }>
  >('mutation { issueToken(input: { name: "kept" }) { secret } createLoginCode { secret: code } }');
  const device = await startDevice(api.url);
  const secrets = {
    'a used invitation': code,
    'an open invitation': await invitationCode(owner, { displayName: 'Ben' }),
    'a login code': createLoginCode.secret,
    'an operator code': await createOperatorCode(api.database.urls.migrator, 'thief'),
    'an access token': login.accessToken,
    'a refresh token': login.refreshToken,
    'a personal access token': issueToken.secret,
    'a device code': device.device_code,
    'a user code': device.user_code,
    'a user code without its hyphen': device.user_code.replaceAll('-', ''),
  };
  const stolen = await dump();
  const found = Object.entries(secrets).filter(([, secret]) =>
    [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')].some((form) =>
      stolen.includes(form),
    ),
  );
  reportAttack('2.12', Object.keys(secrets).length, { 'in clear': found.length });
  expect(found.map(([name]) => name)).toEqual([]);
  // The rows they belong to are there, or nothing was searched.
  expect(stolen).toContain('kept');
  expect(stolen).toContain('Anna');
});
