// What the layers stand on, started once for all of them.
import { findEncoders } from '../../infra/local/encoder.mjs';
import { cacheFolder } from '../../infra/local/paths.mjs';
import { postgresInstallation } from '../../infra/local/postgres-program.mjs';
import { withoutSecrets } from '../../infra/local/service-env.mjs';
import { temporalProgram } from '../../infra/local/temporal-program.mjs';
import { startTestDatabase } from '../../infra/local/test-postgres.mjs';
import { serverUser } from '../../infra/local/unprivileged.mjs';

const startDatabase = async (context) => {
  const database = await context.stack.add('database', startTestDatabase(context));
  context.progress.say(`database: ${database.description}`);
  return database;
};

/** Programs of a Postgres that a test may kill; elsewhere than here there may be none, and its tests say so. */
const findPostgres = (context) => postgresInstallation({ ...context, user: serverUser() }).catch(() => '');

/**
 * Starts the parts and returns the environment that names them: TEST_ADMIN_URL (superuser, native, several
 * connections), TEST_POSTGRES_DIR (programs, for suites that kill their own server), TEST_TEMPORAL_CLI (a program, one
 * server per suite) and EMBEDDING_MODEL_DIR.
 * @param {{stack: object, progress: object, logs: string, installed: Promise<void>, full: boolean, durable?: boolean}} options
 *   `durable`: a server that flushes what it acknowledges, for measurements
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export const startParts = async ({ stack, progress, logs, installed, full, durable = false }) => {
  const context = { env: process.env, cache: cacheFolder(), stack, progress, logs, installed, durable };
  // The server first: it may unpack the same programs.
  const [[database, postgres], temporal, encoders] = await Promise.all([
    startDatabase(context).then(async (started) => [started, await findPostgres(context)]),
    temporalProgram(context),
    findEncoders(context),
  ]);
  progress.say(`Temporal: ${temporal.description}`);
  progress.say(`encoders: ${encoders.description}`);
  return {
    ...withoutSecrets(process.env),
    TEST_ADMIN_URL: database.adminUrl,
    TEST_POSTGRES_DIR: postgres,
    TEST_TEMPORAL_CLI: temporal.path,
    EMBEDDING_MODEL_DIR: encoders.modelDir,
    ...(full ? { TEMPERA_FULL: '1' } : {}),
  };
};
