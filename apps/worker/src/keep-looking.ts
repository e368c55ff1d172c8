import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@tempera/platform';

/** A person waits for it; an empty look costs one small query. */
const POLL_MS = 1_000;
const MAX_POLL_MS = 10_000;

/** Looks again and again for what people asked for, such as exports and erasures, until the signal aborts. */
export const keepLooking = async (
  signal: AbortSignal,
  { what, round, logger }: { readonly what: string; readonly round: () => Promise<void>; readonly logger: Logger },
): Promise<void> => {
  let pauseMs = POLL_MS;
  while (!signal.aborted) {
    try {
      await round();
      pauseMs = POLL_MS;
    } catch (error) {
      logger.warn({ err: error }, `${what} could not be looked after; trying again`);
      pauseMs = Math.min(MAX_POLL_MS, pauseMs * 2);
    }
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};
