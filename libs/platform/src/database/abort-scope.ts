import { AppError } from '@tempera/client-kit';
import { AsyncLocalStorage } from 'node:async_hooks';
import { WaitClock } from './wait-clock.js';

interface Scope {
  readonly signal: AbortSignal;
  readonly waits: WaitClock;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/**
 * Doors opened within `work` give up when the signal does: their statement is cancelled, and nothing new begins. Together they
 * wait for connections as long as one of them may.
 */
export const withinSignal = <T>(signal: AbortSignal, work: () => T): T =>
  scopes.run({ signal, waits: new WaitClock() }, work);

/** For work that goes on when the request that woke it has ended. */
export const beyondSignal = <T>(work: () => T): T => scopes.run(undefined, work);

/** What ends the work at hand; undefined: nothing but itself. */
export const currentSignal = (): AbortSignal | undefined => scopes.getStore()?.signal;

/** How long the work at hand has waited for connections; undefined where nobody counts. */
export const currentWaits = (): WaitClock | undefined => scopes.getStore()?.waits;

/** The answer to work that was given up. */
export const givenUp = (cause?: unknown): AppError =>
  new AppError('unavailable', 'request-given-up', 'The request took too long, or its client left; it was given up.', {
    cause,
  });

/** A statement may begin between two looks at the signal; the next cancel meets it. */
const AGAIN_MS = 200;

/**
 * Runs `work` in an open transaction and cancels its statements while the signal says so. Nothing is cancelled once `work`
 * is done, so never a COMMIT.
 */
export const cancelledBy = async <T>(
  signal: AbortSignal,
  cancelOnce: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    void cancelOnce().catch(() => undefined);
    timer = setTimeout(cancel, AGAIN_MS);
  };
  if (signal.aborted) throw givenUp();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
  }
};
