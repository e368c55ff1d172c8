import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  environmentSchema as apiEnvironment,
  parseSettings as parseApiSettings,
} from '../../apps/api/src/config/settings.js';
import {
  environmentSchema as workerEnvironment,
  parseSettings as parseWorkerSettings,
} from '../../apps/worker/src/config/settings.js';
import { LOG_LEVELS } from '@tempera/platform';
import { freePort } from '../support/programs.js';

type Environment = Readonly<Record<string, string | undefined>>;

interface ServiceEnvModule {
  readonly apiAddress: (env: Environment) => { readonly url: string };
  readonly serviceEnvs: (plan: object) => { readonly api: Environment; readonly worker: Environment };
}

// The launcher is plain JavaScript, because it runs before anything is installed.
const launcher = new URL('../../infra/local/service-env.mjs', import.meta.url).href;
const { apiAddress, serviceEnvs } = (await import(launcher)) as ServiceEnvModule;
const checks = new URL('../../infra/local/check-settings.mjs', import.meta.url).href;
const { checkSettings } = (await import(checks)) as { checkSettings: (env: Environment) => Promise<unknown> };

const usage = new URL('../../infra/local/start-usage.mjs', import.meta.url).href;
const { START_USAGE } = (await import(usage)) as { START_USAGE: string };

const socket = 'postgresql://mem_app:secret@localhost:5432/postgres?host=%2Fdata%2Fsockets';
const tcp = 'postgresql://mem_app:secret@127.0.0.1:5001/postgres';

const envsFor = (url: string, databaseKind: string): ReturnType<ServiceEnvModule['serviceEnvs']> =>
  serviceEnvs({
    env: {},
    address: apiAddress({}),
    roles: { app: url, worker: url, text: url, operator: url, migrator: url },
    databaseKind,
    keysFile: '/data/keys.json',
    modelDir: '/cache/models',
    temporal: { address: '127.0.0.1:7233', namespace: 'default', taskQueue: 'tempera' },
    aliveFile: '/data/run/worker.alive',
  });

describe('what npm start tells the programs', () => {
  it.each([
    ['native', tcp],
    ['pglite', socket],
  ])('is all that they ask for, with the %s database', (kind, url) => {
    const { api, worker } = envsFor(url, kind);
    expect(parseApiSettings(api)).toMatchObject({
      databaseAppUrl: url,
      isDatabaseEmbedded: kind === 'pglite',
      host: '127.0.0.1',
      port: 4747,
      tokenIssuer: 'http://127.0.0.1:4747',
      signingKeysFile: '/data/keys.json',
      embeddingModelDir: '/cache/models',
    });
    expect(parseWorkerSettings(worker)).toMatchObject({
      databaseWorkerUrl: url,
      databaseTextUrl: url,
      temporal: { address: '127.0.0.1:7233', taskQueue: 'tempera' },
      aliveFile: '/data/run/worker.alive',
    });
  });
});

describe('what npm start refuses before it begins', () => {
  const accepts = async (settings: Environment): Promise<boolean> => {
    const port = { API_PORT: String(await freePort()), TEMPERA_DATA_DIR: '/tmp/none', TEMPERA_CACHE_DIR: '/tmp/none' };
    return checkSettings({ ...port, ...settings }).then(
      () => true,
      () => false,
    );
  };
  const programAccepts = (settings: Environment): boolean => {
    const { api, worker } = envsFor(tcp, 'native');
    try {
      parseApiSettings({ ...api, ...settings });
      parseWorkerSettings({ ...worker, ...settings });
      return true;
    } catch {
      return false;
    }
  };

  it.each([
    ...LOG_LEVELS.map((level) => ({ LOG_LEVEL: level })),
    { LOG_LEVEL: 'loud' },
    { LOG_LEVEL: 'INFO' },
    { TEMPERA_PROFILE: 'local' },
    { TEMPERA_PROFILE: 'production' },
    { TEMPERA_PROFILE: 'staging' },
    { PUBLIC_URL: 'https://memory.example' },
    { PUBLIC_URL: 'memory' },
    { TEMPORAL_NAMESPACE: ' ' },
    { TEMPORAL_TASK_QUEUE: ' ' },
    { TOKEN_ISSUER: ' ' },
    { TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,2001:db8::/32 ' },
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    { TRUSTED_PROXIES: '10.0.0.0/8, *' },
    { TRUSTED_PROXIES: '10.0.0.0/' },
    { TRUSTED_PROXIES: 'proxy.example.com' },
    { ATTEMPTS_PER_ADDRESS: '' },
    { ATTEMPTS_PER_ADDRESS: '7' },
    { ATTEMPTS_PER_ADDRESS: ' ' },
    { ATTEMPTS_PER_ADDRESS: '0' },
    { ATTEMPTS_PER_ADDRESS: '1.5' },
    { ATTEMPTS_PER_ADDRESS: 'many' },
    { ATTEMPTS_PER_ADDRESS: '1000001' },
    { REQUESTS_AT_ONCE: '' },
    { REQUESTS_AT_ONCE: '4' },
    { REQUESTS_AT_ONCE: '1' },
    { REQUESTS_AT_ONCE: '11' },
    { REQUESTS_AT_ONCE: '2.5' },
    { DRAIN_NOTICE_SECONDS: '' },
    { DRAIN_NOTICE_SECONDS: '2.5' },
    { DRAIN_NOTICE_SECONDS: '21' },
    { DRAIN_NOTICE_SECONDS: '-1' },
    { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'tempera' },
    { OIDC_ISSUER: 'http://localhost:9000', OIDC_CLIENT_ID: 'tempera' },
    { OIDC_ISSUER: 'http://id.example', OIDC_CLIENT_ID: 'tempera' },
    { OIDC_ISSUER: 'https://me@id.example', OIDC_CLIENT_ID: 'tempera' },
    { OIDC_ISSUER: 'https://id.example/?a=1', OIDC_CLIENT_ID: 'tempera' },
    { OIDC_ISSUER: 'id.example', OIDC_CLIENT_ID: 'tempera' },
    { OIDC_ISSUER: 'https://id.example' },
    { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET_FILE: '', OIDC_LABEL: '' },
    { OIDC_CLIENT_ID: 'tempera' },
    { OIDC_CLIENT_SECRET_FILE: '/no/such/file' },
    { OIDC_LABEL: 'x'.repeat(61) },
  ])('is what the programs would refuse: %j', async (settings) => {
    expect(await accepts(settings)).toBe(programAccepts(settings));
  });
});

describe('every variable that the programs and the launcher read', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  /** Made by whoever starts the programs: a person has nothing to say there. */
  const MADE = new Set(['DATABASE_EMBEDDED', 'WORKER_ALIVE_FILE']);
  const isDoor = (name: string): boolean => /^DATABASE_(?:APP|TEXT|OPERATOR|WORKER)_URL$/.test(name);
  /** Of the machine, and of the tests. */
  const ELSEWHERE = new Set(['PATH', 'XDG_CACHE_HOME', 'TEST_DATABASE_URL']);

  const ofPrograms = [...Object.keys(apiEnvironment.shape), ...Object.keys(workerEnvironment.shape)];
  const settable = ofPrograms.filter((name) => !MADE.has(name) && !isDoor(name));
  const ofLauncher = readdirSync(join(root, 'infra/local'))
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) =>
      [...read(`infra/local/${file}`).matchAll(/\benv\.([A-Z][A-Z_]+)/g)].map((match) => match[1] ?? ''),
    )
    .filter((name) => !ELSEWHERE.has(name));
  const names = (text: string): Set<string> => new Set(text.match(/[A-Z]+(?:_[A-Z]+)+/g));

  it('is in the help of npm start, and in the settings of the README', () => {
    const all = [...new Set([...settable, ...ofLauncher])].sort();
    expect(all.length).toBeGreaterThan(18);
    expect(all.filter((name) => !names(START_USAGE).has(name))).toEqual([]);
    const table = /^## Settings$([^]*?)^## /m.exec(read('README.md'))?.[1] ?? '';
    expect(all.filter((name) => name !== 'DATABASE_URL' && !names(table).has(name))).toEqual([]);
  });

  it('is set by docker compose, or explained in .env.example', () => {
    const compose = names(read('docker-compose.yml'));
    const example = names(read('.env.example'));
    expect(ofPrograms.filter((name) => !MADE.has(name) && !compose.has(name) && !example.has(name))).toEqual([]);
    for (const name of names(
      read('docker-compose.yml')
        .match(/\$\{[A-Z_]+/g)
        ?.join(' ') ?? '',
    )) {
      expect([...example]).toContain(name);
    }
  });
});
