import type { TelemetrySettings } from './settings.js';
import { serveMetrics } from './serve-metrics.js';
import { startTracing } from './tracing.js';

export interface WatchedProgram extends TelemetrySettings {
  /** The program: `api`, `worker`. */
  readonly program: string;
  readonly version: string;
}

/** What a program that runs can tell of what lies in the database, asked before each look at its metrics. */
export type Refresh = () => Promise<void>;

/**
 * Runs a program that can be watched: traced from before it opens anything until it has closed everything, with its metrics
 * served meanwhile. What is not set costs nothing.
 * @param run is given a way to say what is to be asked before each look
 * @throws AppError where the metrics cannot be served; and what `run` throws
 */
export const whileWatched = async (
  { program, version, metrics, traceEndpoint }: WatchedProgram,
  run: (onLook: (refresh: Refresh) => void) => Promise<void>,
): Promise<void> => {
  let refresh: Refresh = () => Promise.resolve();
  const endTracing =
    traceEndpoint === undefined ? undefined : await startTracing({ program, version, endpoint: traceEndpoint });
  try {
    const server = metrics === undefined ? undefined : await serveMetrics({ ...metrics, refresh: () => refresh() });
    try {
      await run((given) => (refresh = given));
    } finally {
      await server?.close();
    }
  } finally {
    await endTracing?.();
  }
};
