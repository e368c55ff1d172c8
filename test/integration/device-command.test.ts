import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { VERSION } from '../../apps/api/src/config/version.js';
import { runProgram } from '../../apps/mcp/src/program.js';
import { makeStubWorld, type StubWorld } from '../../apps/mcp/src/testing/stub-world.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invitationCode } from '../support/graphql-client.js';
import { type Answer, postGraphQL } from '../support/raw-graphql.js';

let api: TestApi;
let owner: GraphQLClient;
const worlds: StubWorld[] = [];

beforeAll(async () => {
  api = await startTestApi();
  owner = await createTenant(await api.operator(), 'Acme');
});
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.remove();
});
afterAll(() => api.close());

interface Machine {
  readonly run: (words: readonly string[], typed?: string) => Promise<{ exitCode: number; out: string; err: string }>;
}

/** A machine with a state of its own; `whileWaiting` happens before each poll, instead of time. */
const newMachine = async (
  whileWaiting: (err: string) => Promise<void> = () => Promise.resolve(),
  over: Partial<StubWorld['world']> = {},
): Promise<Machine> => {
  const home = await makeStubWorld();
  worlds.push(home);
  return {
    run: async (words, typed = '') => {
      let told = '';
      const once: StubWorld = await makeStubWorld(
        {
          environment: home.world.environment,
          cwd: home.folder,
          wait: async () => {
            told += once.err();
            await asSuperuser(api.database.adminUrl, (client) =>
              client.query('update device_code set polled_at = null'),
            );
            await whileWaiting(told);
          },
          ...over,
        },
        typed,
      );
      worlds.push(once);
      const exitCode = await runProgram(words, once.world, { on: () => undefined });
      return { exitCode, out: once.out(), err: told + once.err() };
    },
  };
};

const server = (): string[] => ['--server', api.url];

it('tempera login --device is approved by tempera approve on a machine that is logged in', async () => {
  const laptop = await newMachine();
  const code = await invitationCode(owner, { displayName: 'Ann' });
  expect((await laptop.run(['login', ...server()], `${code}\n`)).exitCode).toBe(0);
  const approvals: number[] = [];
  const desktop = await newMachine(async (told) => {
    const [userCode] = /[A-Z]{4}-[A-Z]{4}/.exec(told) ?? [];
    approvals.push((await laptop.run(['approve', userCode ?? 'none', '--yes'])).exitCode);
  });
  const ran = await desktop.run(['login', '--device', ...server(), '--name', 'desktop']);
  expect({ ...ran, approvals }).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('as Ann, tenant Acme'),
    approvals: [0],
  });
  expect((await desktop.run(['whoami'])).out).toContain('Ann');
  expect((await desktop.run(['sessions', 'list'])).out).toContain('desktop');
});

it('tempera login --device ends when it is denied, and keeps nothing', async () => {
  const laptop = await newMachine();
  await laptop.run(['login', ...server()], `${await invitationCode(owner, { displayName: 'Bob' })}\n`);
  const desktop = await newMachine(async (told) => {
    const [userCode] = /[A-Z]{4}-[A-Z]{4}/.exec(told) ?? [];
    await laptop.run(['approve', userCode ?? 'none', '--deny']);
  });
  expect((await desktop.run(['login', '--device', ...server()])).exitCode).toBe(3);
  expect((await desktop.run(['whoami'])).exitCode).toBe(3);
});

it('tempera approve says when nothing waits under a code', async () => {
  const laptop = await newMachine();
  await laptop.run(['login', ...server()], `${await invitationCode(owner, { displayName: 'Cay' })}\n`);
  expect(await laptop.run(['approve', 'BBBB-BBBB', '--yes'])).toMatchObject({
    exitCode: 4,
    err: expect.stringContaining('No device waits'),
  });
});

it('tempera of another major version is told how to upgrade, before anything of its request is done', async () => {
  const code = await invitationCode(owner, { displayName: 'Dot' });
  const newer = await newMachine(undefined, { version: '99.0.0' });
  const upgrade = `git fetch --tags && git checkout v${VERSION} && npm ci && npm run build`;
  expect(await newer.run(['login', ...server()], `${code}\n`)).toMatchObject({
    exitCode: 5,
    err: expect.stringMatching(new RegExp(`99\\.0\\.0 .* ${VERSION.replaceAll('.', '\\.')}: .*${upgrade}`)),
  });
  // The code is still good: the refusal came before the resolver that would have used it up.
  const same = await newMachine(undefined, { version: VERSION.replace(/\.\d+$/, '.999') });
  expect((await same.run(['login', ...server()], `${code}\n`)).exitCode).toBe(0);
});

it('a client that says no version is served; what is no version is refused by the name of its header', async () => {
  const ask = (headers: Record<string, string>): Promise<Answer> =>
    postGraphQL(api.url, '{"query": "{ service { version } }"}', headers);
  expect((await ask({})).status).toBe(200);
  expect(await ask({ 'x-tempera-client': '99.0.0-rc.1' })).toMatchObject({ status: 409, codes: ['CONFLICT'] });
  for (const odd of ['', 'v1.0.0', '1', '1.0', 'x'.repeat(200), '1.0.0 ; 1.0.0']) {
    const answer = await ask({ 'x-tempera-client': odd });
    expect([answer.status, answer.codes]).toEqual([400, ['BAD_USER_INPUT']]);
    expect(answer.text).toContain('x-tempera-client');
  }
});
