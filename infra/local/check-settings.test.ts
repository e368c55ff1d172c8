import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSettings } from './check-settings.mjs';
import { freePort } from './ports.mjs';
import { addressOf } from './postgres-probe.mjs';
import { describeError, SettingError } from './setting-error.mjs';
import { commandOf } from './processes.mjs';

const messageOf = async (env: Record<string, string>): Promise<string> => {
  try {
    await checkSettings(env);
    return 'accepted';
  } catch (error) {
    return describeError(error);
  }
};

describe('the settings of npm start, before anything is written', () => {
  let folder: string;
  let free: Record<string, string>;
  const servers: Server[] = [];

  /** A server that answers whatever it is sent with `bytes`. */
  const answering = (bytes: string): Promise<number> =>
    new Promise((resolve) => {
      const server = createServer((socket: Socket) =>
        socket.on('error', () => {}).once('data', () => socket.end(bytes)),
      );
      servers.push(server);
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'check-settings-test-'));
    free = {
      API_PORT: String(await freePort()),
      TEMPERA_DATA_DIR: join(folder, 'data'),
      TEMPERA_CACHE_DIR: join(folder, 'cache'),
    };
  });
  afterAll(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are all right where none is set, or with a server that answers', async () => {
    expect(await messageOf(free)).toBe('accepted');
    const port = await answering('S');
    expect(await messageOf({ ...free, DATABASE_ADMIN_URL: `postgresql://a:b@127.0.0.1:${port}/x` })).toBe('accepted');
  });

  it.each([
    ['LOG_LEVEL', 'loud'],
    ['TEMPERA_PROFILE', 'staging'],
    ['PUBLIC_URL', 'memory'],
    ['PUBLIC_URL', 'ftp://memory.example'],
    ['PUBLIC_URL', 'https://me:secret@memory.example'],
    ['PUBLIC_URL', 'https://memory.example/?x=1'],
    ['API_HOST', '192.0.2.1'],
    ['API_HOST', ' '],
    ['API_PORT', 'many'],
    ['TEMPORAL_ADDRESS', 'nowhere'],
    ['TEMPORAL_ADDRESS', '127.0.0.1:1'],
    ['TEMPORAL_NAMESPACE', ' '],
    ['DATABASE_ADMIN_URL', 'postgresql://a:b@127.0.0.1:1/x'],
    ['DATABASE_URL', 'postgresql://a:b@127.0.0.1:1/x'],
    ['DATABASE_ADMIN_URL', 'postgresql://a@localhost/x?host=/no/such/folder'],
    ['EMBEDDING_MODEL_DIR', '/no/such/folder'],
    ['SIGNING_KEYS_FILE', '/no/such/folder/keys.json'],
    ['TEMPERA_DATA_DIR', '/dev/null/data'],
    ['TEMPERA_CACHE_DIR', '/dev/null/cache'],
  ])('%s=%s is refused by its name, without a stack, and nothing is made', async (name, value) => {
    await expect(checkSettings({ ...free, [name]: value })).rejects.toThrow(SettingError);
    const message = await messageOf({ ...free, [name]: value });
    expect(message).toContain(name);
    expect(message).not.toMatch(/\n {4}at |secret/);
    expect([existsSync(join(folder, 'data')), existsSync(join(folder, 'cache'))]).toEqual([false, false]);
  });

  it('OIDC_CLIENT_SECRET_FILE names a file of its owner alone', async () => {
    const oidc = { ...free, OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'tempera' };
    const secret = join(folder, 'oidc-secret');
    const tried = (): Promise<string> => messageOf({ ...oidc, OIDC_CLIENT_SECRET_FILE: secret });
    expect(await tried()).toMatch(/cannot be read \(ENOENT\)[^]*OIDC_CLIENT_SECRET_FILE/);
    writeFileSync(secret, 'x', { mode: 0o644 });
    expect(await tried()).toMatch(/chmod 600[^]*OIDC_CLIENT_SECRET_FILE/);
    chmodSync(secret, 0o600);
    expect(await tried()).toBe('accepted');
  });

  it('are refused together where several are wrong', async () => {
    const message = await messageOf({ ...free, LOG_LEVEL: 'loud', PUBLIC_URL: 'memory' });
    expect(message).toMatch(/LOG_LEVEL[^]*PUBLIC_URL/);
  });

  it('a server that is no Postgres, or says nothing, is no database', async () => {
    const url = async (bytes: string): Promise<string> => `postgresql://a:b@127.0.0.1:${await answering(bytes)}/x`;
    expect(await messageOf({ ...free, DATABASE_ADMIN_URL: await url('HTTP/1.1 400') })).toContain('no Postgres');
    expect(await messageOf({ ...free, DATABASE_ADMIN_URL: await url('') })).toContain('no Postgres');
  });

  it('a data folder in use is what is said of a second start, not that the port of the first is taken', async () => {
    const data = join(folder, 'in-use');
    mkdirSync(join(data, 'run'), { recursive: true });
    writeFileSync(join(data, 'run', 'start.lock'), `${process.ppid}\n${commandOf(process.ppid)}\n`);
    const taken = String(await answering(''));
    expect(await messageOf({ ...free, TEMPERA_DATA_DIR: data, API_PORT: taken })).toMatch(/^Another start/);
    expect(await messageOf({ ...free, API_PORT: taken })).toMatch(/taken by another program[^]*API_PORT/);
  });

  it.each([
    ['postgresql://u:p@db.example/x', { host: 'db.example', port: 5432 }],
    ['postgresql://u:p@[::1]:5433/x', { host: '::1', port: 5433 }],
    ['postgresql://u@localhost:5434/x?host=%2Frun%2Fpg', { path: '/run/pg/.s.PGSQL.5434' }],
    ['postgresql://u@%2Frun%2Fpg/x', { path: '/run/pg/.s.PGSQL.5432' }],
  ])('%s is asked where the database client would connect', (url, address) => {
    expect(addressOf(new URL(url))).toEqual(address);
  });
});
