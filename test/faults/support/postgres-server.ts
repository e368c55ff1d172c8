import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';

/** The superuser's password in clusters of these tests. */
export const PASSWORD = 'mortal';

/** Who a server runs as, where this process is root. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

export const withClient = async (url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

export interface ServerOptions {
  readonly installation: string;
  readonly home: string;
  readonly user: User | undefined;
  readonly port: number;
  readonly settings: Readonly<Record<string, string | number>>;
}

const READY_MS = 60_000;

/** A Postgres that runs on the folder `cluster` in its home, and can be killed with every process of it. */
export class PostgresServer {
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
