// One Postgres cluster under our own control: made by initdb, run in the foreground under a keeper, on the loopback
// interface only, with passwords.
import { chownSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './children.mjs';
import { runCommand } from './command.mjs';
import { commandFailure, startFailure } from './failures.mjs';
import { freePort } from './ports.mjs';
import { makeServerFolder, postgresEnv } from './postgres-program.mjs';
import { commandOf } from './processes.mjs';
import { waitUntil } from './wait-until.mjs';

const SUPERUSER = 'postgres';
const READY_TIMEOUT_MS = 60_000;

// Sorting by bytes, but letters known beyond ASCII: with the plain C locale pg_trgm drops every Chinese character and
// lower('Ä') is 'Ä' (measured on 18.1).
const LOCALE = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  `--lc-ctype=${process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'}`,
];

/** What a database that keeps people's memories runs with; initdb's defaults say the same, and pg0's do not. */
export const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', max_connections: 100 };

/** For tests: thrown away afterwards, so nothing is ever flushed. */
export const THROWAWAY = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: 200 };

const COMMON = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '256MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Without details and statements: "Failing row contains (...)" would carry memory text into the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
};

/** Makes the cluster `<home>/cluster` with scram passwords, unless it is there. */
export const initCluster = async ({ installation, home, user, password, throwaway }) => {
  const cluster = join(home, 'cluster');
  if (existsSync(join(cluster, 'PG_VERSION'))) return;
  makeServerFolder(home, user);
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const args = [`--pgdata=${cluster}`, `--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const made = await runCommand(
    join(installation, 'bin', 'initdb'),
    [...args, ...LOCALE, ...(throwaway ? ['--no-sync'] : [])],
    {
      env: postgresEnv(installation),
      cwd: home,
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
    },
  );
  rmSync(passwordFile, { force: true });
  if (!made.ok) {
    rmSync(cluster, { recursive: true, force: true });
    throw commandFailure('initdb could not make the database', made.output, home);
  }
};

// A server whose keeper was killed as well still holds the cluster: end it the fast way, and wait for it.
const endLeftoverServer = async (cluster) => {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!commandOf(pid).includes(cluster)) return;
  process.kill(pid, 'SIGINT');
  await waitUntil(() => !commandOf(pid).includes(cluster), { timeoutMs: 30_000 });
};

const isReady = async (installation, port) => {
  const args = ['-q', '-h', '127.0.0.1', '-p', String(port), '-U', SUPERUSER, '-d', 'postgres'];
  return (await runCommand(join(installation, 'bin', 'pg_isready'), args, { env: postgresEnv(installation) })).ok;
};

const launch = async ({ installation, home, user, port, settings, logFile, throwaway }) => {
  const options = Object.entries({ ...COMMON, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return startChild({
    name: 'Postgres',
    command: join(installation, 'bin', 'postgres'),
    args: ['-D', join(home, 'cluster'), '-p', String(port), ...options],
    env: postgresEnv(installation),
    cwd: home,
    logFile,
    // Postgres's fast shutdown (40 to 100 ms, measured), then its immediate one, which waits for stragglers for 5 s.
    stopSignals: ['SIGINT', 'SIGQUIT'],
    graceMs: 20_000,
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
    remove: throwaway ? [home] : [],
  });
};

/**
 * Starts the cluster in `home` and waits until it answers.
 * @param {{installation: string, home: string, user?: object, password: string, preferredPort?: number,
 *   settings: object, logFile: string, throwaway?: boolean}} options `throwaway`: the folder goes when the server does
 * @returns {Promise<{adminUrl: string, port: number, child: object}>}
 */
export const startCluster = async (options) => {
  const { installation, home, password, preferredPort } = options;
  await endLeftoverServer(join(home, 'cluster'));
  // A free port can be taken between the question and the bind; another one is tried then.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(attempt === 1 ? preferredPort : undefined);
    const child = await launch({ ...options, port });
    const ready = await waitUntil(() => isReady(installation, port), {
      timeoutMs: READY_TIMEOUT_MS,
      whileAlive: child.isAlive,
    });
    if (ready && child.isAlive()) {
      const adminUrl = `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
      return { adminUrl, port, child };
    }
    const wasTaken = !child.isAlive() && child.lastWords().includes('could not bind');
    await child.stop();
    if (attempt === 3 || !wasTaken) throw startFailure(child);
  }
};
