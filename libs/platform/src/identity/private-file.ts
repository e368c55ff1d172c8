import { AppError } from '@tempera/client-kit';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import process from 'node:process';

/** How the refusals speak of a file. */
export interface PrivateFile {
  readonly path: string;
  /** Such as `keys file`. */
  readonly what: string;
  /** Begins the errors' codes, such as `keys-file`. */
  readonly code: string;
  /** What to do when it is missing. */
  readonly advice: string;
}

/** What tells who may read a file. */
interface FileStatus {
  readonly mode: number;
  readonly uid: number;
}

/**
 * Whether a file is its reader's alone. A cluster mounts secrets as root's, readable by the one group it gives the program
 * (docs/decisions/0033-secrets-that-a-cluster-mounts.md): that counts too, as long as the program is not root itself.
 */
export const isForUsAlone = ({ mode, uid }: FileStatus, ownUid: number | undefined): boolean => {
  if ((mode & 0o077) === 0) return true;
  return uid === 0 && ownUid !== undefined && ownUid !== 0 && (mode & 0o037) === 0;
};

/**
 * Reads a secret that lies in a file of its owner's alone.
 * @throws AppError `invalid-input` when it is missing, no file, or readable by anybody else
 */
export const readPrivateFile = ({ path, what, code, advice }: PrivateFile): string => {
  const refused = (word: string, message: string, cause?: unknown): AppError =>
    new AppError('invalid-input', `${code}-${word}`, message, cause === undefined ? {} : { cause });
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (cause) {
    throw refused('missing', `The ${what} ${path} cannot be opened; ${advice}.`, cause);
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw refused('unreadable', `${path} is not a file.`);
    // Windows has no such bits and reports 0o666 for every file.
    if (!isForUsAlone(status, process.geteuid?.()) && platform() !== 'win32') {
      throw refused('open-to-others', `Others can read the ${what} ${path}; run chmod 600 on it.`);
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
};
