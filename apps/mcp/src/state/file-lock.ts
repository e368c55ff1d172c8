import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@tempera/client-kit';
import type { World } from '../world.js';

/** A holder does one request of at most {@link REQUEST_TIMEOUT_MS}; a lock older than this was left behind. */
const STALE_AFTER_MS = 30_000;
const GIVE_UP_AFTER_MS = 45_000;
const RETRY_MS = 25;

type Surroundings = Pick<World, 'pid' | 'isAlive' | 'randomHex' | 'now'>;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === code;

const takeLock = async (path: string, mark: string): Promise<boolean> => {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(mark);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    // Windows answers EPERM while a lock that was just removed is still open somewhere.
    if (hasCode(error, 'EEXIST') || hasCode(error, 'EPERM')) return false;
    throw new AppError('unavailable', 'lock-unwritable', `The lock ${path} cannot be made.`, { cause: error });
  }
};

const readMark = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
};

const isLeftBehind = async (path: string, mark: string, world: Surroundings): Promise<boolean> => {
  const pid = Number(mark.split(' ')[0]);
  if (Number.isInteger(pid) && pid > 0 && !world.isAlive(pid)) return true;
  try {
    return world.now().getTime() - (await stat(path)).mtimeMs > STALE_AFTER_MS;
  } catch {
    return false;
  }
};

/**
 * Removes a lock whose holder is gone. It is first renamed to a name of our own and looked at again: of two that see the
 * same old lock one may already have been replaced by a live one, which then goes back.
 */
const clearLeftBehind = async (path: string, seen: string, world: Surroundings): Promise<void> => {
  const aside = `${path}.${world.randomHex()}.old`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await readMark(aside)) === seen) await rm(aside, { force: true });
  else await rename(aside, path);
};

/**
 * Runs `work` while no other process of this user does the same under this lock.
 *
 * @throws AppError `unavailable` when the lock stays taken, besides what `work` throws
 */
export const withFileLock = async <Result>(
  path: string,
  world: Surroundings,
  work: () => Promise<Result>,
): Promise<Result> => {
  const mark = `${world.pid} ${world.randomHex()}`;
  const giveUpAt = world.now().getTime() + GIVE_UP_AFTER_MS;
  while (!(await takeLock(path, mark))) {
    const seen = await readMark(path);
    if (seen !== null && (await isLeftBehind(path, seen, world))) await clearLeftBehind(path, seen, world);
    else if (world.now().getTime() > giveUpAt) {
      throw new AppError('unavailable', 'lock-taken', `Another tempera process holds ${path}.`);
    } else await pause(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    if ((await readMark(path)) === mark) await rm(path, { force: true });
  }
};
