// Folders to work in that are gone afterwards, also after an interrupted run.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = '.aside-';
const STALE_MS = 24 * 3_600_000;

// What a killed run left: nothing here takes a day.
const sweep = (parent) => {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const path = join(parent, name);
    if (Date.now() - statSync(path).mtimeMs > STALE_MS) rmSync(path, { recursive: true, force: true });
  }
};

/**
 * Runs `work` with a new folder in `parent` (so that results can be renamed into place), and removes it.
 * @template T
 * @param {string} parent made if it is not there
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export const withTemporaryFolder = async (parent, work) => {
  mkdirSync(parent, { recursive: true });
  sweep(parent);
  const folder = mkdtempSync(join(parent, PREFIX));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
};
