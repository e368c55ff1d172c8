import { describe, expect, it } from 'vitest';
import { parseSettings as parseApiSettings } from '../../apps/api/src/config/settings.js';
import { parseSettings as parseWorkerSettings } from '../../apps/worker/src/config/settings.js';
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
      temporalAddress: '127.0.0.1:7233',
      taskQueue: 'tempera',
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
  ])('is what the programs would refuse: %j', async (settings) => {
    expect(await accepts(settings)).toBe(programAccepts(settings));
  });
});
