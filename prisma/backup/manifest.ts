import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableSum } from './table-sums.js';

/** What a backup is, beside its dump; written last, so that a folder without it is none. */
export interface Manifest {
  readonly format: 1;
  readonly takenAt: string;
  readonly serverVersion: string;
  /** The last migration; a restore belongs under the release that knows it. */
  readonly migration: string;
  readonly dump: {
    readonly file: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly isEncrypted: boolean;
  };
  readonly tables: Readonly<Record<string, TableSum>>;
  /** SHA-256 of catalogue.txt. */
  readonly catalogueSha256: string;
}

export const MANIFEST_FILE = 'manifest.json';
export const CATALOGUE_FILE = 'catalogue.txt';

/** Reads a backup's manifest. @throws Error that says what is wrong with the folder */
export const readManifest = async (folder: string): Promise<Manifest> => {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST_FILE), 'utf8');
  } catch (cause) {
    throw new Error(`${folder} is no finished backup: it has no ${MANIFEST_FILE}.`, { cause });
  }
  const manifest = parsed(text);
  if (!isManifest(manifest)) throw new Error(`${join(folder, MANIFEST_FILE)} is no manifest of format 1.`);
  return manifest;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const isManifest = (value: unknown): value is Manifest => {
  if (typeof value !== 'object' || value === null) return false;
  const { format, dump, tables, catalogueSha256 } = value as Partial<Manifest>;
  return (
    format === 1 &&
    typeof dump?.file === 'string' &&
    !dump.file.includes('/') &&
    typeof dump.sha256 === 'string' &&
    typeof tables === 'object' &&
    typeof catalogueSha256 === 'string'
  );
};
