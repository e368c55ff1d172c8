import { errorTable, isAppError } from '@tempera/client-kit';
import { createLogger, type Logger, whileWatched } from '@tempera/platform';
import { keepAliveFile } from './alive-file.js';
import { parseSettings, type Settings } from './config/settings.js';
import { VERSION } from './config/version.js';
import { runWorker } from './run-worker.js';

const exitCodeOf = (error: unknown): number => (isAppError(error) ? errorTable[error.kind].exitCode : 1);

const settingsOrRefuse = (): Settings => {
  try {
    return parseSettings(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(exitCodeOf(error));
  }
};

const run = async (settings: Settings, logger: Logger): Promise<void> => {
  const stop = new AbortController();
  const stopBy = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'stopping');
    stop.abort();
  };
  process.once('SIGTERM', stopBy).once('SIGINT', stopBy);
  const rest = keepAliveFile(settings.aliveFile);
  try {
    const program = { program: 'worker', version: VERSION, ...settings };
    await whileWatched(program, (onLook) => runWorker(settings, logger, stop.signal, onLook));
    logger.info('stopped');
  } catch (error) {
    if (stop.signal.aborted) return;
    logger.fatal({ err: error }, 'the worker cannot go on');
    process.stderr.write(`${isAppError(error) ? error.message : 'The worker cannot go on; its log says why.'}\n`);
    process.exitCode = exitCodeOf(error);
  } finally {
    rest();
  }
};

const settings = settingsOrRefuse();
await run(settings, createLogger({ name: 'worker', level: settings.logLevel }));
// The engine's native threads would keep the process for a while after everything has been closed.
process.exit();
