import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@tempera/client-kit';

type Json = Readonly<Record<string, unknown>>;

/** What would be written into a file of a repository. */
export interface Change {
  /** As seen from the folder. */
  readonly path: string;
  /** What is added, and nothing else. */
  readonly addition: Json;
  /** `null` when all of it stands there already. */
  readonly text: string | null;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands there is kept: where both say something of the same name, it is theirs. */
export const merged = (there: Json, addition: Json): Json => {
  const all: Record<string, unknown> = { ...there };
  for (const [name, value] of Object.entries(addition)) {
    const own = Object.hasOwn(there, name) ? there[name] : undefined;
    if (own === undefined) all[name] = value;
    else if (isJson(own) && isJson(value)) all[name] = merged(own, value);
  }
  return all;
};

const untouched = (path: string, why: string): AppError =>
  new AppError('conflict', 'file-not-merged', `${path} ${why}, so it was left as it is.`, {
    details: { fix: 'Add the lines shown by hand.' },
  });

/** A link in a repository could lead what is written to a file of the person's own. */
const requirePlain = async (folder: string, path: string): Promise<void> => {
  for (let at = path; at !== '.'; at = dirname(at)) {
    const found = await lstat(join(folder, at)).catch(() => null);
    if (found?.isSymbolicLink() === true) throw untouched(path, 'is reached by a symbolic link');
  }
};

const readThere = async (folder: string, path: string): Promise<{ there: Json; indent: string }> => {
  let text: string;
  try {
    text = await readFile(join(folder, path), 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return { there: {}, indent: '  ' };
    throw untouched(path, 'cannot be read');
  }
  let there: unknown;
  try {
    there = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw untouched(path, 'is no plain JSON');
  }
  if (!isJson(there)) throw untouched(path, 'holds no object');
  return { there, indent: /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ' };
};

/** What adding to a JSON file would make of it. @throws AppError `conflict` for a file that cannot be merged without loss */
export const plan = async (folder: string, path: string, addition: Json): Promise<Change> => {
  await requirePlain(folder, path);
  const { there, indent } = await readThere(folder, path);
  const all = merged(there, addition);
  const isThere = JSON.stringify(all) === JSON.stringify(there);
  return { path, addition, text: isThere ? null : `${JSON.stringify(all, null, indent)}\n` };
};

/** Writes it whole or not at all. @param unique a word no other writer uses */
export const write = async (folder: string, { path, text }: Change, unique: string): Promise<void> => {
  if (text === null) return;
  const target = join(folder, path);
  const draft = `${target}.${unique}.tmp`;
  await mkdir(dirname(target), { recursive: true });
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new AppError('unavailable', 'file-unwritable', `${path} cannot be written.`, { cause });
  }
};
