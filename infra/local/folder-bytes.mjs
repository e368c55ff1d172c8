import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The bytes of all files below a folder; 0 for what does not exist or goes away meanwhile. */
export const folderBytes = (folder) => {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? folderBytes(path) : lstatSync(path).size);
    }, 0);
  } catch {
    return 0;
  }
};
