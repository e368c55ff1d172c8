import { open, readFile, rename, rm } from 'node:fs/promises';
import { AppError } from '@tempera/client-kit';
import type { z } from 'zod';

const isMissing = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';

/**
 * Reads a JSON file of the state.
 *
 * @returns `null` when there is none
 * @throws AppError `internal` when it is damaged: it is never repaired by guessing, since it may hold the only login
 */
export const readPrivateJson = async <Shape extends z.ZodType>(
  path: string,
  shape: Shape,
): Promise<z.output<Shape> | null> => {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw new AppError('unavailable', 'state-unreadable', `${path} cannot be read.`, { cause: error });
  }
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('internal', 'state-damaged', `${path} is damaged.`, {
      cause,
      details: { fix: 'Move it away, then run `tempera login` and `tempera init` again.' },
    });
  }
};

/** Writes a JSON file that only its user can read, whole or not at all. @param unique a word no other writer uses */
export const writePrivateJson = async (path: string, value: unknown, unique: string): Promise<void> => {
  const draft = `${path}.${unique}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new AppError('unavailable', 'state-unwritable', `${path} cannot be written.`, {
      cause,
      details: { fix: 'Make the folder writable, or name another one in TEMPERA_HOME.' },
    });
  }
};

/** Removes a file of the state; none is fine. */
export const removePrivateFile = (path: string): Promise<void> => rm(path, { force: true });
