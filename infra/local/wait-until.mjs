// Waiting for something that can only be asked, never listened to: a server that is starting.
import { shutdown } from './shutdown.mjs';

/**
 * Asks `isReady` until it says yes.
 * @param {() => Promise<boolean> | boolean} isReady
 * @param {{timeoutMs: number, everyMs?: number, whileAlive?: () => boolean}} options gives up early when `whileAlive` says no
 * @returns {Promise<boolean>} false when time ran out or the thing died
 */
export const waitUntil = async (isReady, { timeoutMs, everyMs = 50, whileAlive = () => true }) => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (await isReady()) return true;
    if (performance.now() > deadline || shutdown.aborted || !whileAlive()) return false;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
};
