import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../../prisma/migrate.js';
import { inDatabase, testRoleUrls } from '../../support/cluster.js';
import { freePort } from '../../support/programs.js';

interface User {
  readonly uid: number;
  readonly gid: number;
}

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

const PASSWORD = 'mortal';

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

/**
 * Makes a cluster, migrates a database `tempera` in it, and leaves it running.
 * @throws where TEST_POSTGRES_DIR names no Postgres to run
 */
export const startMortalPostgres = async (): Promise<MortalPostgres> => {
  const installation = process.env['TEST_POSTGRES_DIR'];
  if (!installation) throw new Error('TEST_POSTGRES_DIR names no Postgres that may be killed; npm test sets it.');
  const { initCluster, DURABLE } = await local<ClusterModule>('postgres-cluster.mjs');
  const { serverUser } = await local<{ serverUser: () => User | undefined }>('unprivileged.mjs');
  const user = serverUser();
  const home = mkdtempSync(join(tmpdir(), 'tempera-mortal-'));
  if (user) chownSync(home, user.uid, user.gid);
  await initCluster({ installation, home, user, password: PASSWORD, throwaway: true });
  const server = new Server({ installation, home, user, port: await freePort(), settings: DURABLE });
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

const withClient = async (url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

interface ServerOptions {
  readonly installation: string;
  readonly home: string;
  readonly user: User | undefined;
  readonly port: number;
  readonly settings: Readonly<Record<string, string | number>>;
}

const READY_MS = 60_000;

class Server {
  private child: ChildProcess | undefined;
  private said = '';

  constructor(private readonly options: ServerOptions) {}

  get port(): number {
    return this.options.port;
  }

  async start(): Promise<void> {
    const { installation, home, user, port, settings } = this.options;
    const fixed = { listen_addresses: '127.0.0.1', unix_socket_directories: '', log_min_messages: 'fatal' };
    const options = Object.entries({ ...fixed, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { PATH = '' } = process.env;
    const child = spawn(
      join(installation, 'bin', 'postgres'),
      ['-D', join(home, 'cluster'), '-p', String(port), ...options],
      {
        cwd: home,
        env: { PATH, LD_LIBRARY_PATH: join(installation, 'lib'), TZ: 'UTC' },
        stdio: ['ignore', 'ignore', 'pipe'],
        ...(user ? { uid: user.uid, gid: user.gid } : {}),
      },
    );
    child.stderr.on('data', (chunk: Buffer) => (this.said = (this.said + chunk.toString('utf8')).slice(-4_000)));
    this.child = child;
    await this.untilReady(child);
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const processes = [child.pid, ...childrenOf(child.pid)];
    const gone = new Promise((resolve) => child.once('close', resolve));
    for (const pid of processes) killNow(pid);
    await gone;
  }

  private async untilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_MS;
    const url = `postgresql://postgres:${PASSWORD}@127.0.0.1:${this.port}/postgres`;
    for (;;) {
      const failed = await withClient(url, (client) => client.query('select')).then(
        () => false,
        () => true,
      );
      if (!failed) return;
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Postgres does not start:\n${this.said}`);
      await new Promise((resume) => setTimeout(resume, 50));
    }
  }
}

/** Processes of a server, its own children; none where it has none any more. */
const childrenOf = (pid: number): number[] => {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map((line) => Number(line.trim()))
      .filter((found) => found > 0);
  } catch {
    return [];
  }
};

const killNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone with the one before it.
  }
};
