import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { currentRequestId } from '../telemetry/request-id.js';
import { currentTraceId } from '../telemetry/tracing.js';
import { describeError } from './describe-error.js';

export type { Logger };

/** From quiet to loud; `silent` for tests. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** The program: `api`, `worker`. */
  readonly name: string;
  readonly level: LogLevel;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/** For whom a line was written: the request, and the trace where there is one. */
const whose = (): object => {
  const requestId = currentRequestId();
  const traceId = currentTraceId();
  return { ...(requestId === undefined ? {} : { requestId }), ...(traceId === undefined ? {} : { traceId }) };
};

/** One JSON object a line. Errors are described without what they may quote; authorisation headers never appear. */
export const createLogger = ({ name, level, destination }: LoggerOptions): Logger => {
  const options = {
    name,
    level,
    base: { name },
    mixin: whose,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization'], remove: true },
    serializers: { ...stdSerializers, err: describeError, error: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
};
