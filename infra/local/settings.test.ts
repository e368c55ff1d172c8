import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, type networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findEncoders } from './encoder.mjs';
import { takeLock } from './instance-lock.mjs';
import { cacheFolder, dataFolder, makeFolder } from './paths.mjs';
import { startDatabase } from './postgres.mjs';
import { commandOf } from './processes.mjs';
import { createProgress } from './progress.mjs';
import { readOrMakeSecret } from './secret-file.mjs';
import { apiAddress, serviceEnvs, whoReaches } from './service-env.mjs';
import { describeError, SettingError } from './setting-error.mjs';
import { startTemporal } from './temporal.mjs';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('what a person can set', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const part = (env: Record<string, string>): Parameters<typeof startDatabase>[0] => ({
    env,
    data: join(folder, 'data'),
    cache: join(folder, 'cache'),
    run: folder,
    logs: join(folder, 'logs'),
    progress: createProgress(),
    installed: Promise.resolve(),
  });

  it('the cache is TEMPERA_CACHE_DIR, else below XDG_CACHE_HOME, else below the home folder', () => {
    expect(cacheFolder({ TEMPERA_CACHE_DIR: '/a/b', XDG_CACHE_HOME: '/x' })).toBe('/a/b');
    expect(cacheFolder({ XDG_CACHE_HOME: '/x' })).toBe('/x/tempera-team');
    expect(cacheFolder({})).toMatch(/\.cache\/tempera-team$/);
  });

  it('a folder that nobody can make is refused at once', () => {
    const made = (): string => makeFolder('/proc/tempera/data', { setting: 'TEMPERA_DATA_DIR', mode: 0o700 });
    expect(made).toThrow(SettingError);
  });

  it('the data are in TEMPERA_DATA_DIR, else in the checkout', () => {
    expect(dataFolder({ TEMPERA_DATA_DIR: '/a/b' })).toBe('/a/b');
    expect(dataFolder({})).toMatch(/\/\.tempera$/);
  });

  it('a folder that cannot be made is one sentence that names the setting, without a stack', () => {
    writeFileSync(join(folder, 'a-file'), '');
    const attempt = (): string => makeFolder(join(folder, 'a-file', 'data'), { setting: 'TEMPERA_DATA_DIR' });
    expect(attempt).toThrow(SettingError);
    try {
      attempt();
    } catch (error) {
      expect(describeError(error)).toMatch(/cannot be made or written \(ENOTDIR\)[^]*Set TEMPERA_DATA_DIR/);
      expect(describeError(error)).not.toContain('    at ');
    }
  });

  it('the data folder is closed to others, also one that was open before', () => {
    const data = join(folder, 'open');
    makeFolder(data, { setting: 'TEMPERA_DATA_DIR' });
    chmodSync(data, 0o755);
    makeFolder(data, { setting: 'TEMPERA_DATA_DIR', mode: 0o700 });
    expect(modeOf(data)).toBe(0o700);
  });

  it('a secret is made once, is long, and only its owner can read it', () => {
    const file = join(folder, 'secret');
    const secret = readOrMakeSecret(file);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readOrMakeSecret(file)).toBe(secret);
    expect(modeOf(file)).toBe(0o600);
  });

  it('the start of a data folder that is in use names the process and the setting; one left by a crash is taken', () => {
    const file = join(folder, 'start.lock');
    writeFileSync(file, `${process.ppid}\n${commandOf(process.ppid)}\n`);
    expect(() => takeLock(file, folder)).toThrow(new RegExp(`process ${process.ppid}[^]*TEMPERA_DATA_DIR`));
    writeFileSync(file, `${process.ppid}\nsomething else entirely\n`);
    takeLock(file, folder)();
  });

  it.each([
    ['DATABASE_ADMIN_URL', 'no url at all'],
    ['DATABASE_URL', 'no url at all'],
    ['DATABASE_ADMIN_URL', 'mysql://root@127.0.0.1/tempera'],
  ])('a %s that is no URL is an error that names the setting', async (name, text) => {
    await expect(startDatabase(part({ [name]: text }))).rejects.toThrow(`${name}: it reads like postgresql://`);
  });

  it('a configured database is used as it is, and its password is not shown', async () => {
    const url = 'postgresql://someone:secret@db.example:5433/tempera';
    const { adminUrl, description } = await startDatabase(
      part({ DATABASE_ADMIN_URL: url, DATABASE_URL: 'postgres://x/y' }),
    );
    expect(adminUrl).toBe(url);
    expect(description).toContain('db.example:5433/tempera');
    expect(description).not.toContain('secret');
  });

  it.each(['nonsense', '127.0.0.1:1'])('a TEMPORAL_ADDRESS that nobody answers is named (%s)', async (address) => {
    const options = { ...part({ TEMPORAL_ADDRESS: address }), namespace: 'default' };
    await expect(startTemporal(options)).rejects.toThrow('TEMPORAL_ADDRESS');
  });

  it('an EMBEDDING_MODEL_DIR without a model is named, with what should be in it', async () => {
    await expect(findEncoders(part({ EMBEDDING_MODEL_DIR: folder }))).rejects.toThrow(
      /holds no encoder[^]*EMBEDDING_MODEL_DIR[^]*model_quantized\.onnx/,
    );
  });
});

describe('what each program is told', () => {
  const roles = {
    app: 'postgresql://mem_app:a@h/d',
    worker: 'postgresql://mem_worker:w@h/d',
    text: 'postgresql://mem_text:t@h/d',
    operator: 'postgresql://mem_operator:o@h/d',
    migrator: 'postgresql://mem_migrator:m@h/d',
  };
  const plan = {
    env: { DATABASE_ADMIN_URL: 'postgresql://postgres:root@h/d', PGPASSWORD: 'root', HOME: '/home/me' },
    address: apiAddress({}),
    roles,
    keysFile: '/data/keys.json',
    modelDir: '/models',
    temporal: { address: '127.0.0.1:7233', namespace: 'default', taskQueue: 'tempera' },
    aliveFile: '/data/run/worker.alive',
  };
  const envs = serviceEnvs({ ...plan, databaseKind: 'native' });

  const connectionsOf = (env: NodeJS.ProcessEnv): string[] =>
    Object.keys(env)
      .filter((name) => name.startsWith('DATABASE_') || name.startsWith('PG'))
      .sort();

  it('only the connections of the doors it opens, and never the administrator', () => {
    expect(connectionsOf(envs.api)).toEqual(['DATABASE_APP_URL', 'DATABASE_OPERATOR_URL', 'DATABASE_TEXT_URL']);
    expect(connectionsOf(envs.worker)).toEqual(['DATABASE_APP_URL', 'DATABASE_TEXT_URL', 'DATABASE_WORKER_URL']);
  });

  it('that any login is superuser, only where the database is the embedded fallback', () => {
    expect(envs.api['DATABASE_EMBEDDED']).toBeUndefined();
    const embedded = serviceEnvs({ ...plan, databaseKind: 'pglite' });
    expect([embedded.api['DATABASE_EMBEDDED'], embedded.worker['DATABASE_EMBEDDED']]).toEqual(['pglite', 'pglite']);
  });

  it('one address for listening, issuing and checking tokens', () => {
    expect(envs.api).toMatchObject({
      API_HOST: '127.0.0.1',
      API_PORT: '4747',
      PUBLIC_URL: 'http://127.0.0.1:4747',
      TOKEN_ISSUER: 'http://127.0.0.1:4747',
      TOKEN_AUDIENCE: 'http://127.0.0.1:4747/graphql',
    });
  });

  it('a service that listens everywhere is still reached on this machine', () => {
    expect(apiAddress({ API_HOST: '0.0.0.0', API_PORT: '8080' })).toMatchObject({
      host: '0.0.0.0',
      url: 'http://127.0.0.1:8080',
    });
  });

  it('an address that ends with a slash is the same address, to tokens too', () => {
    expect(apiAddress({ PUBLIC_URL: 'https://memory.example/' }).publicUrl).toBe('https://memory.example');
  });
});

describe('who reaches the API', () => {
  const interfaces = {
    lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true }],
    eth0: [
      { address: '192.168.7.5', family: 'IPv4', internal: false },
      { address: 'fe80::1', family: 'IPv6', internal: false },
      { address: '2001:db8::5', family: 'IPv6', internal: false },
    ],
  } as unknown as ReturnType<typeof networkInterfaces>;
  const reach = (API_HOST: string): string | undefined => whoReaches(apiAddress({ API_HOST }), interfaces);

  it('is this machine alone, and nothing is said, unless it listens elsewhere', () => {
    expect([reach(''), reach('127.0.0.1'), reach('localhost'), reach('::1')]).toEqual(Array(4).fill(undefined));
  });

  it('is said with the addresses that others use, and that nothing is encrypted', () => {
    expect(reach('0.0.0.0')).toMatch(
      /every machine that reaches this one can ask it, at http:\/\/192\.168\.7\.5:4747\/graphql\.\n[^]*encrypted/,
    );
    expect(reach('::')).toContain('http://[2001:db8::5]:4747/graphql');
    expect(reach('::')).not.toContain('fe80');
    expect(reach('192.168.7.5')).toContain('listens on 192.168.7.5');
  });
});
