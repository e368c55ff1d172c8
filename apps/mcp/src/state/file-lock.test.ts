import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeStubWorld, type StubWorld } from '../testing/stub-world.js';
import { withFileLock } from './file-lock.js';

let stub: StubWorld;
let path: string;

beforeEach(async () => {
  stub = await makeStubWorld();
  path = join(stub.folder, 'x.lock');
});
afterEach(() => stub.remove());

/** Reads a number, lets others run, writes it back plus one: loses counts unless it runs alone. */
const countUp = async (file: string): Promise<void> => {
  const before = Number(await readFile(file, 'utf8'));
  await new Promise((resolve) => setImmediate(resolve));
  await writeFile(file, String(before + 1));
};

describe('withFileLock', () => {
  it('lets one in at a time', async () => {
    const file = join(stub.folder, 'count');
    await writeFile(file, '0');
    await Promise.all(Array.from({ length: 20 }, () => withFileLock(path, stub.world, () => countUp(file))));
    expect(await readFile(file, 'utf8')).toBe('20');
    expect(await readdir(stub.folder)).toEqual(['count']);
  });

  it('is freed when the work fails', async () => {
    await expect(withFileLock(path, stub.world, () => Promise.reject(new Error('work')))).rejects.toThrowError('work');
    expect(await withFileLock(path, stub.world, () => Promise.resolve('next'))).toBe('next');
  });

  it('takes over from a process that is gone, one at a time even when many see it', async () => {
    await writeFile(path, '999999 dead');
    const world = { ...stub.world, isAlive: (pid: number) => pid !== 999_999 };
    const file = join(stub.folder, 'count');
    await writeFile(file, '0');
    await Promise.all(Array.from({ length: 20 }, () => withFileLock(path, world, () => countUp(file))));
    expect(await readFile(file, 'utf8')).toBe('20');
    expect(await readdir(stub.folder)).toEqual(['count']);
  });

  it('gives a live lock back that took the place of the dead one it was about to clear', async () => {
    const seen: string[] = [];
    await writeFile(path, '999999 dead');
    const world = {
      ...stub.world,
      isAlive: (pid: number) => {
        seen.push(readFileSync(path, 'utf8'));
        if (pid === 999_999) writeFileSync(path, '888888 quicker');
        else rmSync(path);
        return pid === 888_888;
      },
    };
    await withFileLock(path, world, async () => seen.push('in'));
    expect(seen).toEqual(['999999 dead', '888888 quicker', 'in']);
  });

  it('takes over a lock that is too old to be anyone’s', async () => {
    await writeFile(path, `${stub.world.pid} other`);
    const old = new Date(Date.now() - 31_000);
    await utimes(path, old, old);
    expect(await withFileLock(path, stub.world, () => Promise.resolve('mine'))).toBe('mine');
  });
});
