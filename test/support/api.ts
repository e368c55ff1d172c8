import { type AppDependencies, createApp } from '../../apps/api/src/create-app.js';
import { createLogger, EncoderPool, EncoderThread, KeyRing, type KeySet, newKeySet } from '@tempera/platform';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { liftLimits, openTestDatabase, type TestDatabase } from './database.js';
import { type GraphQLClient, logInOperator } from './graphql-client.js';

/** The API in this process, on a database of its own and a free port of the loopback address. */
export interface TestApi {
  readonly url: string;
  readonly database: TestDatabase;
  /** The keys it started with. */
  readonly keys: KeySet;
  /** Those it works with, for tests that change them. */
  readonly ring: KeyRing;
  readonly settings: AppDependencies['settings'];
  /** Everything it logged so far. */
  readonly logged: () => string;
  /** A fresh operator, logged in. */
  readonly operator: () => Promise<GraphQLClient>;
  readonly close: () => Promise<void>;
}

export interface TestApiOptions {
  readonly profile?: 'local' | 'production';
  readonly now?: () => Date;
  readonly keys?: KeySet;
  /** Default: so many that no suite meets it by accident. */
  readonly attemptsPerAddress?: number;
  readonly trustedProxies?: readonly string[];
  /** Default: no other provider. */
  readonly oidc?: AppDependencies['settings']['oidc'];
  /** Default: those of EMBEDDING_MODEL_DIR. */
  readonly encoders?: EncoderPool;
  /** The port to listen at, and to be known under; default: a free one, known as api.test. */
  readonly port?: number;
  /** Keep the instance's own limits; else points and storage are as good as boundless. */
  readonly hasLimits?: boolean;
}

const settingsFor = ({ urls }: TestDatabase, options: TestApiOptions): AppDependencies['settings'] => ({
  profile: options.profile ?? 'local',
  databaseAppUrl: urls.app,
  databaseTextUrl: urls.text,
  databaseOperatorUrl: urls.operator,
  isDatabaseEmbedded: false,
  host: '127.0.0.1',
  port: 0,
  publicUrl: options.port === undefined ? 'http://api.test' : `http://127.0.0.1:${options.port}`,
  tokenIssuer: 'http://api.test',
  tokenAudience: 'http://api.test/graphql',
  signingKeysFile: 'given',
  logLevel: 'debug',
  trustedProxies: options.trustedProxies ?? [],
  attemptsPerAddress: options.attemptsPerAddress ?? 1_000_000,
  requestsAtOnce: 10,
  drainNoticeMs: 0,
  ...(options.oidc === undefined ? {} : { oidc: options.oidc }),
});

const encodersOfFolder = (): EncoderPool => {
  const host = new EncoderThread({ source: { kind: 'folder', path: process.env['EMBEDDING_MODEL_DIR'] || 'none' } });
  return new EncoderPool({ host, now: () => performance.now() });
};

/** Boots `createApp`, as main.ts does, with the encoders of EMBEDDING_MODEL_DIR. */
export const startTestApi = async (options: TestApiOptions = {}): Promise<TestApi> => {
  const database = await openTestDatabase();
  if (options.hasLimits !== true) await liftLimits(database);
  const lines: string[] = [];
  const logger = createLogger({ name: 'api', level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const encoders = options.encoders ?? encodersOfFolder();
  const keys = options.keys ?? newKeySet();
  const ring = new KeyRing(keys);
  const settings = settingsFor(database, options);
  const clock = { now: options.now ?? ((): Date => new Date()) };
  const app = await createApp({ settings, doors: database.doors, encoders, clock, logger, keys: ring });
  // As run-api.ts has it: a busy test must not meet a connection that ends as it is used again.
  app.getHttpServer().keepAliveTimeout = 65_000;
  await app.listen(options.port ?? 0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return {
    url,
    database,
    keys,
    ring,
    settings,
    logged: () => lines.join(''),
    operator: async () => logInOperator(url, await createOperatorCode(database.urls.migrator, 'test')),
    close: async () => {
      await app.close();
      await encoders.dispose();
      await database.close();
    },
  };
};
