import { chmodSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createKeyFile, replaceKeyFile } from './key-file.js';
import { KeyRing } from './key-ring.js';
import { newKeySet } from './new-key-set.js';
import { watchKeyFile } from './watch-key-file.js';

let folder: string;
let path: string;
let ring: KeyRing;
let told: string[];
let stop: () => void;
const first = newKeySet();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  folder = mkdtempSync(join(tmpdir(), 'tempera-keys-'));
  path = join(folder, 'keys.json');
  createKeyFile(path, first);
  ring = new KeyRing(first);
  told = [];
  stop = watchKeyFile(path, ring, {
    onChange: () => told.push('changed'),
    onError: (error) => told.push(error instanceof Error ? error.message : 'error'),
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});
const look = (): void => void vi.advanceTimersByTime(5_000);

it('takes new keys within five seconds, once', () => {
  const second = newKeySet();
  const view = ring.view((set) => set.keys.map(({ kid }) => kid));
  replaceKeyFile(path, second);
  expect(ring.set).toBe(first);
  look();
  look();
  expect(ring.set).toEqual(second);
  expect(view()).toEqual(second.keys.map(({ kid }) => kid));
  expect(view()).toBe(view());
  expect(told).toEqual(['changed']);
});

it('keeps the old keys when the file is gone, broken or open to others, and tells of each once', () => {
  unlinkSync(path);
  look();
  look();
  writeFileSync(path, '{"keys": [', { mode: 0o600 });
  look();
  look();
  chmodSync(path, 0o644);
  look();
  expect(ring.set).toBe(first);
  expect(told).toHaveLength(3);
  expect(told.join()).not.toContain('"keys"');
  rmSync(path);
  createKeyFile(path, newKeySet());
  look();
  expect(told.at(-1)).toBe('changed');
});
