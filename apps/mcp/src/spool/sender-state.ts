import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateJson } from '../state/private-file.js';
import type { World } from '../world.js';

/** Why the last try did not deliver everything of a login, and when the next one may begin. */
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

const isState = (value: unknown): value is SenderState => {
  const { failures, notBefore } = Object(value) as SenderState;
  return Number.isSafeInteger(failures) && failures > 0 && !Number.isNaN(Date.parse(notBefore));
};

/** By login: none for one whose last try delivered everything, or of which nobody knows. */
export const readSenderStates = async (folder: string): Promise<Map<string, SenderState>> => {
  try {
    const value: unknown = JSON.parse(await readFile(pathOf(folder), 'utf8'));
    const { logins } = Object(value) as { logins?: unknown };
    return new Map(
      Object.entries(Object(logins) as object).filter((one): one is [string, SenderState] => isState(one[1])),
    );
  } catch {
    // It only spares tries: without it the next one begins at once.
    return new Map();
  }
};

/** The logins that are not to be tried yet. */
export const pausedLogins = (states: ReadonlyMap<string, SenderState>, world: World): Set<string> =>
  new Set([...states].filter(([, { notBefore }]) => new Date(notBefore) > world.now()).map(([login]) => login));

/**
 * Keeps what a try came to. After each one that failed the pause of that login doubles, so that a day without network costs a
 * hundred tries and not ten thousand.
 *
 * @param skipped the logins that were not tried, of which nothing new is known
 */
export const noteTried = async (
  folder: string,
  failed: ReadonlyMap<string, { readonly code: string; readonly message: string }>,
  skipped: ReadonlySet<string>,
  world: World,
): Promise<void> => {
  const states = await readSenderStates(folder);
  if (states.size === 0 && failed.size === 0) return;
  const next = new Map([...states].filter(([login]) => skipped.has(login)));
  for (const [login, { code, message }] of failed) {
    const failures = (states.get(login)?.failures ?? 0) + 1;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, failures - 1));
    const notBefore = new Date(world.now().getTime() + pause).toISOString();
    next.set(login, { failures, notBefore, code, message });
  }
  await writePrivateJson(pathOf(folder), { logins: Object.fromEntries(next) }, world.randomHex());
};
