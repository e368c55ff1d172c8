import type { Logger as TemporalLogger, LogLevel, LogMetadata } from '@temporalio/worker';
import type { Logger } from '@tempera/platform';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** The SDK's log lines in ours. */
export const temporalLogger = (logger: Logger): TemporalLogger => {
  const log = (level: LogLevel, message: string, meta?: LogMetadata): void => {
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
