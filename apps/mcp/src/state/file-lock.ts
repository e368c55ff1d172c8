import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@tempera/client-kit';
import type { World } from '../world.js';

/** A holder does one request of at most 15 s; a lock older than this was left behind. */
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

const isOlderThan = async (path: string, ageMs: number, world: Surroundings): Promise<boolean> => {
  try {
    return world.now().getTime() - (await stat(path)).mtimeMs > ageMs;
  } catch {
    return false;
  }
};

const isLeftBehind = async (path: string, mark: string, world: Surroundings): Promise<boolean> => {
  const pid = Number(mark.split(' ')[0]);
  if (Number.isInteger(pid) && pid > 0 && !world.isAlive(pid)) return true;
  return isOlderThan(path, STALE_AFTER_MS, world);
};

/**
 * Removes a lock whose holder is gone. Of many that see it one at a time may look again and remove it, under a guard: else
 * a slow one would remove the live lock that a quick one has already put in its place.
 */
const clearLeftBehind = async (path: string, seen: string, world: Surroundings): Promise<void> => {
  const guard = `${path}.clearing`;
  if (!(await takeLock(guard, `${world.pid}`))) {
    if (await isOlderThan(guard, STALE_AFTER_MS, world)) await rm(guard, { force: true });
    return;
  }
  try {
    if ((await readMark(path)) === seen) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
};

/** Frees the lock where it is still ours: one that took too long has lost it to another. */
const free = async (path: string, mark: string): Promise<void> => {
  if ((await readMark(path)) === mark) await rm(path, { force: true });
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
    if (world.now().getTime() > giveUpAt) {
      throw new AppError('unavailable', 'lock-taken', `Another tempera process holds ${path}.`);
    }
    await pause(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await free(path, mark);
  }
};

/**
 * Runs `work` unless another process does the same already. However long it takes, the lock says that its holder lives.
 *
 * @returns whether it was run
 */
export const withFileLockOrNot = async (
  path: string,
  world: Surroundings,
  work: () => Promise<void>,
): Promise<boolean> => {
  const mark = `${world.pid} ${world.randomHex()}`;
  if (!(await takeLock(path, mark))) {
    const seen = await readMark(path);
    if (seen === null || !(await isLeftBehind(path, seen, world))) return false;
    await clearLeftBehind(path, seen, world);
    if (!(await takeLock(path, mark))) return false;
  }
  const lives = setInterval(() => {
    const now = world.now();
    utimes(path, now, now).catch(() => undefined);
  }, STALE_AFTER_MS / 6);
  try {
    await work();
    return true;
  } finally {
    clearInterval(lives);
    await free(path, mark);
  }
};
