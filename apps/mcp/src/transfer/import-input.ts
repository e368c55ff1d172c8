import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { faultAt } from './import-item.js';

/** Larger inputs are somebody's home folder, not a memory. */
const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** A file or folder that somebody imports from. */
export interface ImportInput {
  /** The folder that names are relative to. */
  readonly root: string;
  readonly isFolder: boolean;
  /** Relative, with `/`, in order. */
  readonly names: readonly string[];
  read(name: string): Promise<string>;
  bytes(name: string): Promise<Buffer>;
}

/** @throws AppError `not-found`, `invalid-input` */
export const openInput = async (path: string): Promise<ImportInput> => {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new AppError('not-found', 'no-such-file', `There is no ${path}.`);
  const isFolder = found.isDirectory();
  const root = isFolder ? path : dirname(path);
  const names = isFolder ? await namesIn(path) : [basename(path)];
  const bytes = async (name: string): Promise<Buffer> => {
    const file = join(root, name);
    if ((await stat(file)).size > MAX_FILE_BYTES) throw faultAt(name, null, 'The file is too large.');
    return readFile(file);
  };
  return { root, isFolder, names, bytes, read: async (name) => decode(name, await bytes(name)) };
};

const namesIn = async (root: string): Promise<string[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.length > MAX_FILES)
    throw new AppError('invalid-input', 'too-many-files', `${root} has more than ${MAX_FILES} files.`);
  return files.map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')).sort();
};

const decode = (name: string, bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw faultAt(name, null, 'It is no text in UTF-8.');
  }
};

/** JSON of one file. @throws AppError with the line where it breaks off */
export const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const line = at === undefined ? null : text.slice(0, Number(at)).split('\n').length;
    throw faultAt(file, line, 'It is no valid JSON.');
  }
};

/** Lines of JSON, each checked; empty ones are passed over. @throws AppError with the first line that is wrong */
export const parseLines = <Shape extends z.ZodType>(
  file: string,
  text: string,
  shape: Shape,
): { readonly line: number; readonly value: z.output<Shape> }[] =>
  text.split('\n').flatMap((raw, index) => {
    if (raw.trim() === '') return [];
    const line = index + 1;
    let parsed: unknown;
    try {
      parsed = JSON.parse(raw);
    } catch {
      throw faultAt(file, line, 'The line is no valid JSON.');
    }
    return [{ line, value: check(file, line, parsed, shape) }];
  });

/** What was parsed, checked by its shape. @throws AppError that names the field */
export const check = <Shape extends z.ZodType>(
  file: string,
  line: number | null,
  value: unknown,
  shape: Shape,
): z.output<Shape> => {
  const { success, data, error } = shape.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  throw faultAt(
    file,
    line,
    `${field === '' ? 'It' : `\`${field}\``} is not as expected: ${issue?.message ?? 'unknown'}.`,
  );
};
