import { errorTable, isAppError } from '@tempera/client-kit';
import { createLogger, readKeyFile, whileWatched } from '@tempera/platform';
import { parseSettings } from './config/settings.js';
import { VERSION } from './config/version.js';
import { runApi } from './run-api.js';

/** After the notice that a load balancer is given, in-flight requests get ten seconds; what still hangs after that is cut off. */
const FORCED_EXIT_MS = 20_000;

const exitCodeOf = (error: unknown): number => (isAppError(error) ? errorTable[error.kind].exitCode : 1);

const run = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  const keys = readKeyFile(settings.signingKeysFile);
  const logger = createLogger({ name: 'api', level: settings.logLevel });
  const stop = new AbortController();
  const stopBy = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), settings.drainNoticeMs + FORCED_EXIT_MS).unref();
    stop.abort();
  };
  process.once('SIGTERM', stopBy).once('SIGINT', stopBy);
  try {
    const program = { program: 'api', version: VERSION, ...settings };
    await whileWatched(program, () => runApi(settings, keys, logger, stop.signal));
    logger.info('stopped');
  } catch (error) {
    logger.fatal({ err: error }, 'the API cannot go on');
    throw error;
  }
};

try {
  await run();
  process.exit(0);
} catch (error) {
  // People read standard error; the log on standard output is for machines.
  process.stderr.write(`${isAppError(error) ? error.message : 'The API cannot go on; its log says why.'}\n`);
  process.exit(exitCodeOf(error));
}
