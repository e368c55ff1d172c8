import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createKeyFile,
  currentSigningKey,
  hmacKeysOf,
  type KeySet,
  newKeySet,
  readKeyFile,
  signingKeysOf,
  watchKeyFile,
} from '@tempera/platform';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { createTenant, GraphQLClient, invitationCode } from '../support/graphql-client.js';
import { runProgram, startProgram, untilTrue } from '../support/programs.js';
import { decodeToken, signedWith } from './token-zoo.js';

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const LOGIN = 'mutation ($code: String!) { login(input: { code: $code }) { accessToken refreshToken } }';
const REFRESH = 'mutation ($t: String!) { refresh(input: { refreshToken: $t }) { accessToken refreshToken } }';

let folder: string;
let file: string;
let api: TestApi;
let owner: GraphQLClient;
let unwatch: () => void;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tempera-rotation-'));
  file = join(folder, 'keys.json');
  createKeyFile(file, newKeySet());
  api = await startTestApi({ keys: readKeyFile(file) });
  unwatch = watchKeyFile(file, api.ring, {
    intervalMs: 20,
    onChange: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
  });
});
// Each rotation leaves the tokens of before behind.
beforeEach(async () => {
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(async () => {
  unwatch();
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const keys = (...words: string[]): Promise<string> =>
  runProgram(['apps/api/dist/keys-cli.js', ...words, '--file', file], {});
const login = async (displayName: string): Promise<Pair> => {
  const code = await invitationCode(owner, { displayName });
  return (await new GraphQLClient(api.url).send<{ login: Pair }>(LOGIN, { code })).login;
};
const refresh = async (refreshToken: string): Promise<Pair> =>
  (await new GraphQLClient(api.url).send<{ refresh: Pair }>(REFRESH, { t: refreshToken })).refresh;
/** Until the running API works with what is in the file. */
const taken = async (): Promise<KeySet> => {
  const written = readKeyFile(file);
  await untilTrue('the keys are taken', () =>
    Promise.resolve(JSON.stringify(api.ring.set) === JSON.stringify(written)),
  );
  return written;
};
const statusOf = async (token: string): Promise<number> => {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ me { user { id } } }' }),
  });
  await response.arrayBuffer();
  return response.status;
};
const published = async (): Promise<string[]> => {
  const { keys: set } = (await (await fetch(`${api.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  return set.map(({ kid }) => kid).sort();
};

/** Asks with these tokens ten times a second where the machine keeps up, 250 times at least and until `work` is done. */
const underLoad = async (
  tokens: () => readonly string[],
  work: () => Promise<void>,
): Promise<{ statuses: number[]; seconds: number }> => {
  const asked: Promise<number>[] = [];
  const statuses: number[] = [];
  const began = Date.now();
  const timer = setInterval(() => {
    if (asked.length - statuses.length > 5) return;
    const burst = tokens().map(statusOf);
    asked.push(...burst);
    for (const one of burst) one.then((status) => statuses.push(status)).catch(() => statuses.push(0));
  }, 100);
  try {
    await work();
    await untilTrue('enough requests', () => Promise.resolve(statuses.length >= 250));
  } finally {
    clearInterval(timer);
  }
  await Promise.all(asked);
  return { statuses, seconds: (Date.now() - began) / 1000 };
};

describe('attack 2.5: rotating keys while requests come in', () => {
  it('refuses nobody from next to current to previous, and the old key once it is gone', async () => {
    const held = await login('Holder');
    const oldKey = currentSigningKey(api.ring.set);
    let pair = await login('Refresher');
    // Mostly of a fresh token, one from before it all.
    const { statuses, seconds } = await underLoad(
      () => [held.accessToken, ...Array.from({ length: 4 }, () => pair.accessToken)],
      async () => {
        for (const words of [['promote', '--force'], ['stage'], ['promote', '--force']]) {
          await keys(...words);
          const written = await taken();
          const kids = signingKeysOf(written).map(({ kid }) => kid);
          expect(await published()).toEqual(kids.sort());
          pair = await refresh(pair.refreshToken);
        }
      },
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await keys('drop', '--force');
    await taken();
    expect(await published()).not.toContain(oldKey.kid);
    expect(await statusOf(held.accessToken)).toBe(401);
    const { header, claims } = decodeToken(held.accessToken);
    expect(await statusOf(signedWith(oldKey, header, claims))).toBe(401);
    expect(await statusOf((await refresh(pair.refreshToken)).accessToken)).toBe(200);
    const refused = statuses.filter((status) => status !== 200).length;
    reportAttack('2.5', statuses.length, { 'false refusals': refused }, `2 rotations in ${seconds.toFixed(1)} s`);
  });

  it('logs nobody out when the key of refresh tokens changes (attacks 2.7 to 2.9 hold on)', async () => {
    const before = await login('Before');
    const lost = await refresh((await login('Lost')).refreshToken);
    await keys('stage', '--kind', 'hmac');
    await taken();
    const parent = (await login('Parent')).refreshToken;
    const first = await refresh(parent);
    await keys('promote', '--kind', 'hmac', '--force');
    expect(hmacKeysOf(await taken())).toHaveLength(2);
    // The parent's row names the old key: the same child as before the rotation, however many ask.
    const repeated = await Promise.all(Array.from({ length: 20 }, () => refresh(parent)));
    expect(new Set([first, ...repeated].map(({ refreshToken }) => refreshToken)).size).toBe(1);
    // Chains go on, and move to the new key as they do.
    let pair = await refresh(before.refreshToken);
    for (let generation = 0; generation < 3; generation += 1) pair = await refresh(pair.refreshToken);
    expect(await statusOf(pair.accessToken)).toBe(200);
    const current = hmacKeysOf(api.ring.set).find(({ state }) => state === 'current');
    await keys('drop', '--kind', 'hmac', '--force');
    expect(hmacKeysOf(await taken()).map(({ kid }) => kid)).toEqual([current?.kid]);
    expect(await statusOf((await refresh(pair.refreshToken)).accessToken)).toBe(200);
    // Whoever did not come by while both keys were there must log in again; that is what waiting 31 days is for.
    const late = await new GraphQLClient(api.url).refused(REFRESH, { t: lost.refreshToken });
    expect(late.code).toBe('UNAUTHENTICATED');
  });

  it('goes on with the page that a cursor of the old key ended', async () => {
    const page = await owner.send<{ users: { pageInfo: { endCursor: string } } }>(
      '{ users(first: 1) { pageInfo { endCursor } } }',
    );
    await keys('stage', '--kind', 'hmac');
    await keys('promote', '--kind', 'hmac', '--force');
    await taken();
    const after = page.users.pageInfo.endCursor;
    await owner.send('query ($after: String) { users(first: 1, after: $after) { nodes { id } } }', { after });
  });
});

describe('npm run keys', () => {
  const ended = async (...words: string[]): Promise<{ code: unknown; output: string }> => {
    const program = startProgram(process.execPath, ['apps/api/dist/keys-cli.js', ...words], {});
    const code = await new Promise((resolve) => program.child.once('close', resolve));
    return { code, output: program.output() };
  };

  it('lists keys by id and state, and never what is secret', async () => {
    const text = await keys('list');
    for (const key of readKeyFile(file).keys) {
      expect(text).toContain(key.kid);
      expect(text).not.toContain(key.kty === 'EC' ? key.d : key.k);
    }
  });

  it('refuses to sign with a key that nobody can have seen yet, and changes nothing', async () => {
    const path = join(folder, 'young.json');
    createKeyFile(path, newKeySet());
    const before = await readFile(path, 'utf8');
    const refused = await ended('promote', '--file', path);
    expect(refused).toMatchObject({ code: 5, output: expect.stringContaining('24 hours') });
    expect((await ended('drop', '--file', path)).code).toBe(5);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('keeps the file closed to others, and refuses one that is open', async () => {
    const path = join(folder, 'modes.json');
    createKeyFile(path, newKeySet());
    expect((await ended('promote', '--force', '--file', path)).code).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    expect(await ended('list', '--file', path)).toMatchObject({
      code: 2,
      output: expect.stringContaining('chmod 600'),
    });
  });

  it.each([
    [[]],
    [['rotate']],
    [['stage', 'twice']],
    [['stage', '--kind', 'rsa']],
    [['list', '--nonsense']],
    [['list']],
    [['list', '--file', '/nowhere/keys.json']],
  ])('says what it takes to who writes %j', async (words) => {
    expect((await ended(...words)).code).toBe(2);
  });
});
