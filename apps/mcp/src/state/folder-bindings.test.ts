import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FolderIdentity } from '../folder/git-folder.js';
import { makeStubWorld, type StubWorld } from '../testing/stub-world.js';
import { FolderBindings } from './folder-bindings.js';

let stub: StubWorld;
let bindings: FolderBindings;

const binding = (project: string): { login: string; project: string; boundAt: string } => ({
  login: '0123456789abcdef',
  project,
  boundAt: '2026-11-30T00:00:00Z',
});
const folder = (root: string, isRepository = false): FolderIdentity => ({ root, isRepository, remotes: [] });

beforeEach(async () => {
  stub = await makeStubWorld();
  bindings = new FolderBindings(stub.world);
});
afterEach(() => stub.remove());

describe('FolderBindings', () => {
  it('lends the binding of a plain folder to what lies in it, but not to a repository there', async () => {
    const top = join(stub.folder, 'work');
    await mkdir(join(top, 'deep'), { recursive: true });
    await bindings.bind(folder(top), binding('notes'));
    expect((await bindings.find(folder(join(top, 'deep'))))?.project).toBe('notes');
    expect(await bindings.find(folder(join(top, 'repository'), true))).toBeNull();
    expect(await bindings.find(folder(`${top}-other`))).toBeNull();
  });

  it('knows no folder by a name that objects happen to have', async () => {
    await bindings.bind(folder('/one', true), binding('one'));
    expect(await bindings.find(folder('constructor', true))).toBeNull();
    expect(await bindings.find(folder('__proto__', true))).toBeNull();
  });

  it('loses none of twenty bindings made at once', async () => {
    const roots = Array.from({ length: 20 }, (_, index) => `/repository-${index}`);
    await Promise.all(roots.map((root) => bindings.bind(folder(root, true), binding(root.slice(1)))));
    for (const root of roots) expect((await bindings.find(folder(root, true)))?.project).toBe(root.slice(1));
  });

  it('forgets on request', async () => {
    await bindings.bind(folder('/one', true), binding('one'));
    expect(await bindings.unbind(folder('/one', true))).toBe(true);
    expect(await bindings.unbind(folder('/one', true))).toBe(false);
    expect(await bindings.find(folder('/one', true))).toBeNull();
  });
});
