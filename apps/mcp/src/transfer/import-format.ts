import type { ImportInput } from './import-input.js';
import type { ParsedImport } from './import-item.js';

/** A product whose memories can be imported. */
export interface ImportFormat {
  /** As typed for `--from`; also the origin that imported memories are known by. */
  readonly name: string;
  /** What it reads, in one line of help. */
  readonly reads: string;
  /** Whether the input looks like it. Never throws for what it does not know. */
  matches(input: ImportInput): Promise<boolean>;
  /** Everything, or nothing. @throws AppError with file and line */
  parse(input: ImportInput): Promise<ParsedImport>;
}

/** The only file of an input that was named itself, with one of these endings. */
export const soleFile = ({ isFolder, names }: ImportInput, ...endings: readonly string[]): string | null => {
  const [name] = names;
  return !isFolder && name !== undefined && endings.some((ending) => name.endsWith(ending)) ? name : null;
};

/** The JSON of the only file, or undefined where it is none. */
export const peekJson = async (input: ImportInput): Promise<unknown> => {
  const name = soleFile(input, '.json');
  if (name === null) return undefined;
  try {
    return JSON.parse(await input.read(name)) as unknown;
  } catch {
    return undefined;
  }
};

/** A field of what may be an object. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The first of a list that may be one. */
export const firstOf = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined);

/** The first line of a file as JSON, or undefined. */
export const peekLine = async (input: ImportInput, name: string): Promise<unknown> => {
  try {
    return JSON.parse((await input.read(name)).trimStart().split('\n', 1)[0] ?? '') as unknown;
  } catch {
    return undefined;
  }
};
