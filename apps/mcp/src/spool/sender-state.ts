import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateJson } from '../state/private-file.js';
import type { World } from '../world.js';

/** Why the last try did not deliver everything, and when the next one may begin. */
export interface SenderState {
  readonly failures: number;
  readonly notBefore: string;
  /** The code of the error that ended the last try. */
  readonly code: string;
  readonly message: string;
}

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

const pathOf = (folder: string): string => join(folder, 'sender.json');

/** `null` when the last try delivered everything, or nobody knows. */
export const readSenderState = async (folder: string): Promise<SenderState | null> => {
  try {
    const value: unknown = JSON.parse(await readFile(pathOf(folder), 'utf8'));
    const state = Object(value) as SenderState;
    const isWhole = Number.isSafeInteger(state.failures) && !Number.isNaN(Date.parse(state.notBefore));
    return isWhole && state.failures > 0 ? state : null;
  } catch {
    // It only spares tries: without it the next one begins at once.
    return null;
  }
};

/** After each try that failed the pause doubles, so that a day without network costs a hundred tries and not ten thousand. */
export const noteFailure = async (
  folder: string,
  why: { readonly code: string; readonly message: string },
  world: World,
): Promise<void> => {
  const failures = ((await readSenderState(folder))?.failures ?? 0) + 1;
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, failures - 1));
  const notBefore = new Date(world.now().getTime() + pause).toISOString();
  await writePrivateJson(pathOf(folder), { failures, notBefore, ...why }, world.randomHex());
};

/** Everything was delivered. */
export const noteSuccess = async (folder: string, world: World): Promise<void> => {
  if ((await readSenderState(folder)) === null) return;
  const none = { failures: 0, notBefore: world.now().toISOString(), code: '', message: '' };
  await writePrivateJson(pathOf(folder), none, world.randomHex());
};
