// Errors of a child appear where a person looks, though all it says goes to a file.
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

const EVERY_MS = 500;
const ERROR_LEVEL = 50;

/** The text of a JSON log line at level error or above; undefined for any other line. */
export const errorIn = (line) => {
  if (!line.startsWith('{')) return undefined;
  try {
    const { level, msg, err } = JSON.parse(line);
    const isError = typeof level === 'number' ? level >= ERROR_LEVEL : ['error', 'fatal'].includes(level);
    return isError ? [msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Calls `onError` with each error line of `file` from the byte `from` on.
 * @returns {() => void} ends it
 */
export const followErrors = (file, from, onError) => {
  let at = from;
  let rest = '';
  const read = () => {
    if (!existsSync(file)) return;
    const { size } = statSync(file);
    if (size < at) at = 0;
    if (size === at) return;
    const chunk = Buffer.alloc(Math.min(size - at, 1_000_000));
    const handle = openSync(file, 'r');
    at += readSync(handle, chunk, 0, chunk.length, at);
    closeSync(handle);
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines.map(errorIn).filter(Boolean)) onError(text);
  };
  const timer = setInterval(read, EVERY_MS).unref();
  return () => clearInterval(timer);
};
