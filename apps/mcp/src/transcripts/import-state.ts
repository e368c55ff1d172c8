import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateJson } from '../state/private-file.js';
import { ensurePrivateFolder, stateFolderPath } from '../state/state-folder.js';
import type { World } from '../world.js';

/** How far a file was imported. */
export interface Imported {
  /** Another file under the same name begins anew. */
  readonly inode: number;
  /** Read up to here. */
  readonly bytes: number;
  /** So many finished turns of it were delivered; the order of a file's turns never changes. */
  readonly turns: number;
}

const pathOf = (world: World): string => join(stateFolderPath(world), 'imported-transcripts.json');

const isImported = (value: unknown): value is Imported => {
  const { inode, bytes, turns } = Object(value) as Record<string, unknown>;
  return [inode, bytes, turns].every((one) => typeof one === 'number' && Number.isSafeInteger(one));
};

/** How far each file was imported. What cannot be read is nothing: turns that come again are known by the service. */
export const readImported = async (world: World): Promise<Map<string, Imported>> => {
  try {
    const value: unknown = JSON.parse(await readFile(pathOf(world), 'utf8'));
    const entries = Object.entries(Object(value) as Record<string, unknown>);
    return new Map(entries.filter((entry): entry is [string, Imported] => isImported(entry[1])));
  } catch {
    return new Map();
  }
};

export const writeImported = async (imported: ReadonlyMap<string, Imported>, world: World): Promise<void> => {
  await ensurePrivateFolder(stateFolderPath(world));
  await writePrivateJson(pathOf(world), Object.fromEntries(imported), world.randomHex());
};
