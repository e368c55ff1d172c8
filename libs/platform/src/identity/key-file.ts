import { AppError } from '@tempera/client-kit';
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { type KeySet, keySetSchema } from './key-set.js';
import { readPrivateFile } from './private-file.js';

const refused = (code: string, message: string, cause?: unknown): AppError =>
  new AppError('invalid-input', code, message, cause === undefined ? {} : { cause });

const parse = (path: string, text: string): KeySet => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own message quotes the file, and the file is secret.
    throw refused('keys-file-unreadable', `The keys file ${path} is not JSON.`);
  }
  const parsed = keySetSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map((issue) => issue.path.join('.') || issue.message).join(', ');
  throw refused('keys-file-unreadable', `The keys file ${path} is not a key set of this service (${where}).`);
};

/**
 * Reads the keys of an instance.
 * @throws AppError `invalid-input` when the file is missing, malformed, or readable by anybody but its owner
 */
export const readKeyFile = (path: string): KeySet =>
  parse(path, readPrivateFile({ path, what: 'keys file', code: 'keys-file', advice: 'make one with keys-cli --out' }));

const write = (path: string, set: KeySet): void => {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(set, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/**
 * Writes fresh keys with mode 0600. It never overwrites: with the old keys gone, every session would end.
 * @throws AppError `conflict` when the file is there already
 */
export const createKeyFile = (path: string, set: KeySet): void => {
  try {
    write(path, set);
  } catch (cause) {
    if (cause instanceof Error && Reflect.get(cause, 'code') === 'EEXIST') {
      throw new AppError('conflict', 'keys-file-exists', `${path} is there already and is never overwritten.`);
    }
    throw refused('keys-file-unwritable', `The keys file ${path} cannot be written.`, cause);
  }
};

/** Replaces the keys in one step, so that a reader sees the old set or the new one and never half of it. */
export const replaceKeyFile = (path: string, set: KeySet): void => {
  const draft = `${path}.${randomBytes(4).toString('hex')}.new`;
  createKeyFile(draft, set);
  renameSync(draft, path);
};
