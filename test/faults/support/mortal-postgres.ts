import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../prisma/migrate.js';
import { inDatabase, testRoleUrls } from '../../support/cluster.js';
import { freePort } from '../../support/programs.js';
import { PASSWORD, PostgresServer, type User, withClient } from './postgres-server.js';

interface ClusterModule {
  readonly DURABLE: Readonly<Record<string, string | number>>;
  readonly initCluster: (options: {
    installation: string;
    home: string;
    user: User | undefined;
    password: string;
    throwaway: boolean;
  }) => Promise<void>;
}

// What `npm start` makes its own cluster with; plain JavaScript, because it runs before anything is built.
const local = async <T>(file: string): Promise<T> =>
  (await import(new URL(`../../../infra/local/${file}`, import.meta.url).href)) as T;

/** A Postgres of a suite's own that flushes what it commits, and can be killed. */
export interface MortalPostgres {
  /** The superuser's URL of its migrated database; the same after every start. */
  readonly adminUrl: string;
  readonly urls: ReturnType<typeof testRoleUrls>;
  /** SIGKILL to the server and to every process of it, as when the power goes. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same port, and waits until it takes connections. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const installationOrThrow = (): string => {
  const installation = process.env['TEST_POSTGRES_DIR'];
  if (!installation) throw new Error('TEST_POSTGRES_DIR names no Postgres that may be killed; npm test sets it.');
  return installation;
};

/**
 * Makes a cluster, migrates a database `tempera` in it, and leaves it running.
 * @throws where TEST_POSTGRES_DIR names no Postgres to run
 */
export const startMortalPostgres = async (): Promise<MortalPostgres> => {
  const installation = installationOrThrow();
  const { initCluster, DURABLE } = await local<ClusterModule>('postgres-cluster.mjs');
  const { serverUser } = await local<{ serverUser: () => User | undefined }>('unprivileged.mjs');
  const user = serverUser();
  const home = mkdtempSync(join(tmpdir(), 'tempera-mortal-'));
  if (user) chownSync(home, user.uid, user.gid);
  await initCluster({ installation, home, user, password: PASSWORD, throwaway: true });
  const server = new PostgresServer({ installation, home, user, port: await freePort(), settings: DURABLE });
  await server.start();
  const cluster = `postgresql://postgres:${PASSWORD}@127.0.0.1:${server.port}/postgres`;
  const adminUrl = inDatabase(cluster, 'tempera');
  await withClient(cluster, (client) => client.query('create database tempera template template0'));
  const urls = testRoleUrls(adminUrl);
  await migrate({ adminUrl, roles: urls });
  return {
    adminUrl,
    urls,
    kill: () => server.kill(),
    start: () => server.start(),
    close: async () => {
      await server.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

/** A server on a data folder that somebody laid out; it is nobody's but the caller's. */
export interface LaidOutPostgres {
  /** The superuser's URL of the database `tempera`. */
  readonly adminUrl: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server on what `layOut` puts into an empty folder, and waits until it takes connections.
 * @param layOut is given the home folder; the data folder is `cluster` in it
 */
export const startLaidOutPostgres = async (layOut: (home: string) => Promise<void>): Promise<LaidOutPostgres> => {
  const installation = installationOrThrow();
  const { serverUser } = await local<{ serverUser: () => User | undefined }>('unprivileged.mjs');
  const user = serverUser();
  const home = mkdtempSync(join(tmpdir(), 'tempera-restored-'));
  await layOut(home);
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, home]);
  const server = new PostgresServer({ installation, home, user, port: await freePort(), settings: {} });
  await server.start();
  return {
    adminUrl: `postgresql://postgres:${PASSWORD}@127.0.0.1:${server.port}/tempera`,
    close: async () => {
      await server.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
};
