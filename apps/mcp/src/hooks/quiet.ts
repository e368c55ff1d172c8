import { mkdirSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stateFolderPath } from '../state/state-folder.js';
import type { World } from '../world.js';

/** So long prompts are not held up again after the service did not answer one in time. */
const QUIET_MS = 120_000;

type Surroundings = Pick<World, 'environment' | 'platform' | 'home'>;

const pathOf = (world: Surroundings): string => join(stateFolderPath(world), 'quiet');

/** Whether the service did not answer a moment ago. */
export const isQuiet = async (world: World): Promise<boolean> => {
  const age = await stat(pathOf(world)).then(
    ({ mtimeMs }) => world.now().getTime() - mtimeMs,
    () => QUIET_MS,
  );
  return age >= 0 && age < QUIET_MS;
};

let isWaiting = false;

/** Asks the service, so that a deadline which ends the process meanwhile knows what it waited for. */
export const asking = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
  isWaiting = true;
  try {
    return await question();
  } finally {
    isWaiting = false;
  }
};

/** Notes that a deadline came while the service was asked. At once: the process has no time left to wait for anything. */
export const noteSilence = (world: Surroundings): void => {
  if (!isWaiting) return;
  try {
    mkdirSync(stateFolderPath(world), { recursive: true, mode: 0o700 });
    writeFileSync(pathOf(world), '', { mode: 0o600 });
  } catch {
    // It only spares waiting.
  }
};
