import { statSync } from 'node:fs';
import { readKeyFile } from './key-file.js';
import type { KeyRing } from './key-ring.js';

/** How soon a rotation reaches every process; a look costs one `stat`. */
const LOOK_EVERY_MS = 5_000;

/** What the watch tells. */
export interface KeyWatchOptions {
  readonly intervalMs?: number;
  readonly onChange: () => void;
  /** Told once for each state of the file; the keys in use stay. */
  readonly onError: (error: unknown) => void;
}

/** What tells one state of a file from the next. Follows links, since secret stores swap the link. */
const stateOf = (path: string): string => {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? 'gone' : `${status.ino} ${status.size} ${status.mtimeMs} ${status.mode}`;
};

/**
 * Looks at a keys file again and again, and takes what is written there. A file that is gone, open to others or no key set
 * changes nothing: a slip while keys are rotated must not log everybody out.
 * @returns stops the watch
 */
export const watchKeyFile = (path: string, ring: KeyRing, options: KeyWatchOptions): (() => void) => {
  let seen = stateOf(path);
  const look = (): void => {
    const state = stateOf(path);
    if (state === seen) return;
    seen = state;
    try {
      ring.replace(readKeyFile(path));
    } catch (error) {
      options.onError(error);
      return;
    }
    options.onChange();
  };
  const timer = setInterval(look, options.intervalMs ?? LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
};
