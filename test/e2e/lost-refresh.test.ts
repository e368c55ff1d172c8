import { connect } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, GraphQLClient } from '../support/graphql-client.js';
import { type Instance, makeKeys, startInstance } from '../support/instance.js';
import { untilTrue } from '../support/programs.js';

let folder: string;
let keysFile: string;
const instances: Instance[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tempera-lost-'));
  keysFile = join(folder, 'keys.json');
  await makeKeys(keysFile);
});
afterAll(async () => {
  for (const instance of instances) await instance.close();
  await rm(folder, { recursive: true, force: true });
});

const start = async (from?: string): Promise<Instance> => {
  const instance = await startInstance({ worker: false, keysFile, ...(from === undefined ? {} : { from }) });
  instances.push(instance);
  return instance;
};

const REFRESH =
  'mutation ($refreshToken: String!) { refresh(input: { refreshToken: $refreshToken }) { accessToken refreshToken } }';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const refreshAt = async (url: string, refreshToken: string): Promise<Tokens> =>
  (await new GraphQLClient(url).send<{ refresh: Tokens }>(REFRESH, { refreshToken })).refresh;

const logInAt = async ({ operator, url }: Instance): Promise<Tokens> => {
  const owner = await createTenant(operator, 'Lost answers');
  const { inviteUser } = await owner.send<{ inviteUser: { code: string } }>(
    'mutation { inviteUser(input: { displayName: "Dora" }) { code } }',
  );
  const LOGIN = 'mutation ($code: String!) { login(input: { code: $code, client: "t" }) { accessToken refreshToken } }';
  return (await new GraphQLClient(url).send<{ login: Tokens }>(LOGIN, { code: inviteUser.code })).login;
};

/** Sends a refresh and never reads what comes back. */
const askDeafly = async (url: string, refreshToken: string): Promise<() => void> => {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ query: REFRESH, variables: { refreshToken } });
  const head = ['POST /graphql HTTP/1.1', `host: ${hostname}:${port}`, 'content-type: application/json'];
  const socket = connect(Number(port), hostname).pause();
  // The program's death resets the connection.
  socket.on('error', () => undefined);
  await new Promise<void>((sent) =>
    socket.write(`${[...head, `content-length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`, () =>
      sent(),
    ),
  );
  return () => void socket.destroy();
};

const rotations = ({ database }: Instance): Promise<number> =>
  asSuperuser(database.adminUrl, async (client) => {
    const { rows } = await client.query<{ most: number }>('select max(generation) as most from login_session');
    return rows[0]?.most ?? 0;
  });

it('attack 2.9: kill -9 once a refresh was committed, before anybody read its answer, locks nobody out', async () => {
  const first = await start();
  const parent = await logInAt(first);
  const before = await rotations(first);
  const hangUp = await askDeafly(first.url, parent.refreshToken);
  await untilTrue('the rotation is committed', async () => (await rotations(first)) > before, first.api);
  first.api.child.kill('SIGKILL');
  hangUp();
  await first.stop();
  expect(first.api.child.signalCode).toBe('SIGKILL');

  const second = await start(first.database.name);
  const retried = [await refreshAt(second.url, parent.refreshToken), await refreshAt(second.url, parent.refreshToken)];
  // The child that was lost: nothing was rotated a second time.
  expect(new Set(retried.map(({ refreshToken }) => refreshToken)).size).toBe(1);
  expect(await rotations(second)).toBe(before + 1);
  const child = retried[0]?.refreshToken ?? '';
  const next = await refreshAt(second.url, child);
  const { me } = await new GraphQLClient(second.url, () => Promise.resolve(next.accessToken)).send<{
    me: { user: { displayName: string } };
  }>('{ me { user { displayName } } }');
  expect(me.user.displayName).toBe('Dora');
  reportAttack('2.9', 4, { 'locked out': 0 }, 'kill -9 of the API between the commit and the answer');
}, 180_000);
