export { createLogger, LOG_LEVELS, type Logger, type LoggerOptions, type LogLevel } from './create-logger.js';
export { describeError, type ErrorDescription } from './describe-error.js';
