import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKeyFile, readKeyFile, replaceKeyFile } from './key-file.js';
import { promoteKey } from './key-rotation.js';
import { newKeySet } from './new-key-set.js';
import { isForUsAlone } from './private-file.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tempera-keys-'));
  path = join(folder, 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes a file only its owner can read, and reads it back', () => {
  const set = newKeySet();
  createKeyFile(path, set);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readKeyFile(path)).toEqual(set);
});

it('never writes over keys that are there', () => {
  createKeyFile(path, newKeySet());
  const before = readFileSync(path, 'utf8');
  expect(() => createKeyFile(path, newKeySet())).toThrow('never overwritten');
  expect(readFileSync(path, 'utf8')).toBe(before);
});

it.each([0o640, 0o604, 0o666, 0o610])('refuses a file with mode %o', (mode) => {
  createKeyFile(path, newKeySet());
  chmodSync(path, mode);
  expect(() => readKeyFile(path)).toThrow('chmod 600');
});

it('takes a secret that a cluster mounted: root’s, readable by the group of a program that is not root', () => {
  const reads = (mode: number, uid: number, ownUid: number | undefined): boolean =>
    isForUsAlone({ mode: 0o100_000 | mode, uid }, ownUid);
  expect(reads(0o440, 0, 1000)).toBe(true);
  expect(reads(0o640, 0, 1000)).toBe(true);
  expect(reads(0o400, 1000, 1000)).toBe(true);
  for (const mode of [0o444, 0o460, 0o450, 0o404]) expect(reads(mode, 0, 1000)).toBe(false);
  expect(reads(0o440, 1000, 1000)).toBe(false);
  expect(reads(0o440, 0, 0)).toBe(false);
  expect(reads(0o440, 0, undefined)).toBe(false);
});

it('refuses what is no key set, without quoting it', () => {
  for (const text of ['', 'secret words', '{"keys":"secret words"}', '{"keys":[]}']) {
    writeFileSync(path, text, { mode: 0o600 });
    expect(() => readKeyFile(path)).toThrow(path);
    expect(() => readKeyFile(path)).not.toThrow('secret words');
  }
});

it('names a file that is not there', () => {
  expect(() => readKeyFile(join(folder, 'none.json'))).toThrow('none.json');
});

it('replaces keys in one step', () => {
  const set = newKeySet();
  createKeyFile(path, set);
  const now = new Date();
  const rotated = promoteKey(set, { kind: 'signing', now, force: true, writtenAt: now });
  replaceKeyFile(path, rotated);
  expect(readKeyFile(path)).toEqual(rotated);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
