import { readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { FolderIdentity } from '../folder/git-folder.js';
import { nameOf, type SpooledTool } from '../spool/spool-record.js';
import { writePrivateJson } from '../state/private-file.js';
import { ensurePrivateFolder, stateFolderPath } from '../state/state-folder.js';
import type { World } from '../world.js';
import { isOneLine } from './one-line.js';

/** What the service takes. */
const MAX_FILES = 50;

const folderOf = (world: World): string => join(stateFolderPath(world), 'files');
const pathOf = ({ root }: FolderIdentity, world: World): string => join(folderOf(world), `${nameOf(root)}.json`);

/** The files that turns in a folder last worked on, newest first, as seen from its root. */
export const recentFiles = async (folder: FolderIdentity, world: World): Promise<string[]> => {
  try {
    const value: unknown = JSON.parse(await readFile(pathOf(folder, world), 'utf8'));
    return Array.isArray(value)
      ? value.filter((one): one is string => typeof one === 'string' && isOneLine(one)).slice(0, MAX_FILES)
      : [];
  } catch {
    return [];
  }
};

const insideOf = (root: string, file: string): string | null => {
  const path = isAbsolute(file) ? relative(root, file) : file;
  return path === '' || path.startsWith('..') || isAbsolute(path) ? null : path.split(sep).join('/');
};

/** Remembers the files of a turn, so that the next session of this folder is told what is known of them. */
export const rememberFiles = async (
  folder: FolderIdentity,
  tools: readonly SpooledTool[],
  world: World,
): Promise<void> => {
  const found = tools.flatMap(({ file }) => (file === undefined ? [] : [insideOf(folder.root, file)]));
  const files = found.filter((path) => path !== null && isOneLine(path)).reverse();
  if (files.length === 0) return;
  const all = [...new Set([...files, ...(await recentFiles(folder, world))])].slice(0, MAX_FILES);
  await ensurePrivateFolder(folderOf(world));
  await writePrivateJson(pathOf(folder, world), all, world.randomHex());
};
