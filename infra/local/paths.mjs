// Where things lie: the project, the cache (downloads, shared by every checkout) and the data (this instance's own).
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingError } from './setting-error.mjs';

/** The root of the checkout. */
export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Downloads: the Postgres and Temporal programs, the encoders. Safe to delete; fetched again. */
export const cacheFolder = (env = process.env) => {
  if (env.TEMPERA_CACHE_DIR) return resolve(env.TEMPERA_CACHE_DIR);
  return join(env.XDG_CACHE_HOME ? resolve(env.XDG_CACHE_HOME) : join(homedir(), '.cache'), 'tempera-team');
};

/** This instance: database, keys, passwords, logs. */
export const dataFolder = (env = process.env) =>
  env.TEMPERA_DATA_DIR ? resolve(env.TEMPERA_DATA_DIR) : join(projectRoot, '.tempera');

// Node's own `recursive: true` never returns where making a folder fails as if its parent were missing, as below /proc.
const makeFolders = (path, mode) => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolders(dirname(path), mode);
  try {
    mkdirSync(path, mode === undefined ? {} : { mode });
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};

/**
 * Makes a folder that this process can write, or says which setting to change.
 * @param {string} path
 * @param {{setting: string, mode?: number}} options `mode` is enforced on an existing folder too
 */
export const makeFolder = (path, { setting, mode }) => {
  try {
    makeFolders(path, mode);
    if (mode !== undefined && (statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new SettingError(
      `The folder ${path} cannot be made or written${why}.`,
      setting,
      `Set ${setting} to a folder you can write.`,
    );
  }
  return path;
};
