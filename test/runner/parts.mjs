// What the layers stand on, started once for all of them.
import { findEncoders } from '../../infra/local/encoder.mjs';
import { cacheFolder } from '../../infra/local/paths.mjs';
import { withoutSecrets } from '../../infra/local/service-env.mjs';
import { temporalProgram } from '../../infra/local/temporal-program.mjs';
import { startTestDatabase } from '../../infra/local/test-postgres.mjs';

const startDatabase = async (context) => {
  const database = await context.stack.add('database', startTestDatabase(context));
  context.progress.say(`database: ${database.description}`);
  return database;
};

/**
 * Starts the parts and returns the environment that names them: TEST_ADMIN_URL (superuser, native, several
 * connections), TEST_TEMPORAL_CLI (a program, one server per suite) and EMBEDDING_MODEL_DIR.
 * @param {{stack: object, progress: object, logs: string, installed: Promise<void>, full: boolean}} options
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export const startParts = async ({ stack, progress, logs, installed, full }) => {
  const context = { env: process.env, cache: cacheFolder(), stack, progress, logs, installed };
  const [database, temporal, encoders] = await Promise.all([
    startDatabase(context),
    temporalProgram(context),
    findEncoders(context),
  ]);
  progress.say(`Temporal: ${temporal.description}`);
  progress.say(`encoders: ${encoders.description}`);
  return {
    ...withoutSecrets(process.env),
    TEST_ADMIN_URL: database.adminUrl,
    TEST_TEMPORAL_CLI: temporal.path,
    EMBEDDING_MODEL_DIR: encoders.modelDir,
    ...(full ? { TEMPERA_FULL: '1' } : {}),
  };
};
