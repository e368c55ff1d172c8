import { chmod, lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError, neutraliseLine } from '@tempera/client-kit';

type Json = Readonly<Record<string, unknown>>;

/** What would be written into a file of a repository. */
export interface Change {
  /** As seen from the folder. */
  readonly path: string;
  /** What is added, and nothing else. */
  readonly addition: Json;
  /** `null` when all of it stands there already. */
  readonly text: string | null;
  /** What stood there when it was planned; `null` where there was no file. */
  readonly before: string | null;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const untouched = (path: string, why: string, addition: Json): AppError =>
  new AppError(
    'conflict',
    'file-not-merged',
    `${path} ${why}, so it was left as it is. By hand, add: ${JSON.stringify(addition)}`,
  );

const taken = (path: string, name: string, theirs: unknown, addition: Json): AppError => {
  const shown = neutraliseLine(JSON.stringify(theirs), 500);
  const why = `says something else of ${name} already (${shown})`;
  return new AppError(
    'conflict',
    'file-not-merged',
    `${path} ${why}, so it was left as it is. If that is not what you want, remove it and run this again; ours is: ${JSON.stringify(addition)}`,
  );
};

/** Entries are whole: a marketplace, a plugin or a server is ours or theirs, as a mixture of both would run what nobody was shown. */
const merged = (path: string, there: Json, addition: Json): Json => {
  const all: Record<string, unknown> = { ...there };
  for (const [group, entries] of Object.entries(addition)) {
    const own = Object.hasOwn(there, group) ? there[group] : {};
    if (!isJson(own) || !isJson(entries)) throw taken(path, group, own, addition);
    for (const [name, value] of Object.entries(entries))
      if (Object.hasOwn(own, name) && !isDeepStrictEqual(own[name], value))
        throw taken(path, `${group}.${name}`, own[name], addition);
    all[group] = { ...own, ...entries };
  }
  return all;
};

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** A number that is too long, or a name that is there twice, would come back as something else. */
const isLossless = (text: string, there: Json): boolean => {
  const tokens = text.match(TOKENS) ?? [];
  const numbers = tokens.filter((token) => !token.startsWith('"'));
  const written = JSON.stringify(there).match(TOKENS) ?? [];
  return written.length === tokens.length && numbers.every((token) => String(Number(token)) === token);
};

/** A link in a repository could lead what is written to a file of the person's own. */
const requirePlain = async (folder: string, path: string, addition: Json): Promise<void> => {
  for (let at = path; at !== '.'; at = dirname(at)) {
    const found = await lstat(join(folder, at)).catch(() => null);
    if (found?.isSymbolicLink() === true) throw untouched(path, 'is reached by a symbolic link', addition);
  }
};

const readText = async (folder: string, path: string, addition: Json): Promise<string | null> => {
  await requirePlain(folder, path, addition);
  try {
    return await readFile(join(folder, path), 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
    throw untouched(path, 'cannot be read', addition);
  }
};

const parsed = (text: string, path: string, addition: Json): Json => {
  let there: unknown;
  try {
    there = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw untouched(path, 'is no plain JSON', addition);
  }
  if (!isJson(there)) throw untouched(path, 'holds no object', addition);
  if (!isLossless(text, there))
    throw untouched(path, 'holds a number or a repeated name that would not survive being written again', addition);
  return there;
};

/** What adding to a JSON file would make of it. @throws AppError `conflict` for a file that cannot be merged without loss */
export const plan = async (folder: string, path: string, addition: Json): Promise<Change> => {
  const before = await readText(folder, path, addition);
  const there = parsed(before ?? '', path, addition);
  const indent = /^[ \t]+(?=")/m.exec(before ?? '')?.[0] ?? '  ';
  const all = merged(path, there, addition);
  const isThere = isDeepStrictEqual(all, there);
  return { path, addition, before, text: isThere ? null : `${JSON.stringify(all, null, indent)}\n` };
};

/**
 * Writes it whole or not at all, as open as the file was.
 *
 * @param unique a word no other writer uses
 * @throws AppError `conflict` where somebody wrote it since the plan was made
 */
export const write = async (
  folder: string,
  { path, addition, before, text }: Change,
  unique: string,
): Promise<void> => {
  if (text === null) return;
  const target = join(folder, path);
  const draft = `${target}.${unique}.tmp`;
  if ((await readText(folder, path, addition)) !== before) throw untouched(path, 'was changed meanwhile', addition);
  await mkdir(dirname(target), { recursive: true });
  try {
    const mode = before === null ? null : (await stat(target)).mode & 0o777;
    await writeFile(draft, text, { flag: 'wx', mode: mode ?? 0o666 });
    if (mode !== null) await chmod(draft, mode);
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new AppError('unavailable', 'file-unwritable', `${path} cannot be written.`, { cause });
  }
};
