import { setTimeout as wait } from 'node:timers/promises';
import { isTooBusy } from './database-errors.js';
import type { Doors } from './doors.js';

/** As long as a pod's first look at readiness may take. */
const PATIENCE_MS = 30_000;
const AGAIN_MS = 500;

/**
 * The check of a program that starts. A busy server takes its first connections slowly, and several programs start at once after
 * an outage: that is waited for. What refuses, or would not keep tenants apart, ends the start at once.
 * @throws AppError as {@link Doors.selfCheck} does
 */
export const checkAtStart = async (
  doors: Pick<Doors, 'selfCheck'>,
  { patienceMs, againMs } = { patienceMs: PATIENCE_MS, againMs: AGAIN_MS },
): Promise<void> => {
  const endsAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await doors.selfCheck();
    } catch (error) {
      if (!isTooBusy(error) || performance.now() > endsAt) throw error;
      await wait(againMs);
    }
  }
};
