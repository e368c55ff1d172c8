import type { LoggerService } from '@nestjs/common';
import type { Logger as NestPino } from 'nestjs-pino';

/** Nest's own lines. What it tells of its start (a line for each module) is for debugging; faults keep their level. */
export const nestLines = (pino: NestPino): LoggerService => ({
  log: (message: unknown, ...context: unknown[]) => pino.debug(message, ...context),
  error: (message: unknown, ...context: unknown[]) => pino.error(message, ...context),
  warn: (message: unknown, ...context: unknown[]) => pino.warn(message, ...context),
  debug: (message: unknown, ...context: unknown[]) => pino.debug(message, ...context),
  verbose: (message: unknown, ...context: unknown[]) => pino.verbose(message, ...context),
  fatal: (message: unknown, ...context: unknown[]) => pino.fatal(message, ...context),
});
