import type { Logger as TemporalLogger, LogLevel, LogMetadata } from '@temporalio/worker';
import type { Logger } from '@tempera/platform';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** The SDK's core says for each of its calls how often it was tried again, dozens of lines a second while it is alone. */
const RETRIES = 'temporalio_client::retry';
const RETRIES_EVERY_MS = 30_000;

/** The SDK's log lines in ours. */
export const temporalLogger = (logger: Logger, now: () => Date): TemporalLogger => {
  let quietUntil = 0;
  const log = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    if (meta?.['target'] === RETRIES) {
      if (now().getTime() < quietUntil) return;
      quietUntil = now().getTime() + RETRIES_EVERY_MS;
      logger.warn('Temporal does not answer; trying again');
      return;
    }
    const { error, ...rest } = meta ?? {};
    logger[LEVELS[level]](error === undefined ? rest : { ...rest, err: error }, message);
  };
  return {
    log,
    trace: (message, meta) => log('TRACE', message, meta),
    debug: (message, meta) => log('DEBUG', message, meta),
    info: (message, meta) => log('INFO', message, meta),
    warn: (message, meta) => log('WARN', message, meta),
    error: (message, meta) => log('ERROR', message, meta),
  };
};
