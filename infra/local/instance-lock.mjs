// One `npm start` per data folder: two would open one database file twice.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from './processes.mjs';
import { SettingError } from './setting-error.mjs';

/** Says who holds the folder's lock file, if anybody does. @throws {SettingError} */
export const requireUnlocked = (file, folder) => {
  if (!existsSync(file)) return;
  const [pid, command] = readFileSync(file, 'utf8').trimEnd().split('\n');
  // The command line too: after a crash the id may belong to anybody.
  if (commandOf(Number(pid)) !== command || Number(pid) === process.pid) return;
  throw new SettingError(
    `Another start (process ${pid}) is already running on ${folder}.`,
    'TEMPERA_DATA_DIR',
    'Stop it, or set TEMPERA_DATA_DIR to another folder (and API_PORT to another port).',
  );
};

/** The lock file of a data folder. */
export const lockFile = (data) => join(data, 'run', 'start.lock');

/**
 * Takes the folder's lock file, or says who holds it.
 * @returns {() => void} gives it back
 */
export const takeLock = (file, folder) => {
  requireUnlocked(file, folder);
  writeFileSync(file, `${process.pid}\n${commandOf(process.pid)}\n`, { mode: 0o600 });
  return () => rmSync(file, { force: true });
};
