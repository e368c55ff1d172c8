// Which database `npm start` uses: the configured one, else native Postgres from a wheel, else PGlite.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.mjs';
import { startPglite } from './pglite.mjs';
import { startNative, startRemembered } from './postgres-native.mjs';
import { SettingError, throwIfDiskFull } from './setting-error.mjs';
import { shutdown } from './shutdown.mjs';

/** The setting that names a database of one's own: `setting` and `url`, or undefined. */
export const configuredDatabase = (env) => {
  const setting = ['DATABASE_ADMIN_URL', 'DATABASE_URL'].find((name) => env[name]);
  return setting && { setting, url: env[setting] };
};

/** The database's address, parsed. @throws {SettingError} which does not repeat it: it holds a password */
export const parseDatabaseUrl = ({ setting, url }) => {
  try {
    const parsed = new URL(url);
    if (/^postgres(ql)?:$/.test(parsed.protocol)) return parsed;
  } catch {
    // Said below.
  }
  throw new SettingError(
    'The database setting is no URL of a Postgres.',
    setting,
    'it reads like postgresql://user:password@host:5432/database.',
  );
};

const describeUrl = ({ hostname, port, pathname }) => `${hostname}${port ? `:${port}` : ''}${pathname}`;

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
  if (remembered.kind === 'native') return startRemembered(context);
  try {
    return await startNative(context);
  } catch (error) {
    if (error instanceof SettingError || shutdown.aborted) throw error;
    throwIfDiskFull(error);
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
    const description = `the configured one, ${describeUrl(parseDatabaseUrl(configured))}`;
    return { adminUrl: configured.url, kind: 'configured', description, stop: async () => {} };
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
