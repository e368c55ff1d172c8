import { setTimeout as wait } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '@tempera/platform';
import type { TemporalCredentials } from './temporal-credentials.js';

export interface ConnectTemporalOptions {
  /** host:port */
  readonly address: string;
  readonly credentials: TemporalCredentials;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/**
 * Connects to the workflow engine, waiting for it as long as it takes: the rest of the service works without it, and a
 * night that is missed meanwhile is made up for.
 * @throws the signal's reason when it aborts
 */
export const connectTemporal = async ({
  address,
  credentials,
  logger,
  signal,
}: ConnectTemporalOptions): Promise<NativeConnection> => {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
    signal.throwIfAborted();
    try {
      return await NativeConnection.connect({ address, ...credentials });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason, address, retryInMs: pauseMs }, 'Temporal does not answer; trying again');
      await wait(pauseMs, undefined, { signal });
    }
  }
};
