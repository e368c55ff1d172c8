import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchOf, identifyFolder, remotesOfGitConfig } from './git-folder.js';

const run = promisify(execFile);
let base: string;

const git = async (cwd: string, ...args: string[]): Promise<void> => {
  await run(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always', ...args],
    { cwd },
  );
};

const repository = async (name: string, remote?: string): Promise<string> => {
  const path = join(base, name);
  await mkdir(path, { recursive: true });
  await git(path, 'init', '-q', '-b', 'main');
  await git(path, 'commit', '-q', '--allow-empty', '-m', 'first');
  if (remote !== undefined) await git(path, 'remote', 'add', 'origin', remote);
  return path;
};

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'tempera-git-')));
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe('identifyFolder', () => {
  it('C6: three worktrees and a sub-folder are one repository', async () => {
    const root = await repository('app', 'git@git.example.com:acme/app.git');
    const deep = join(root, 'packages', 'one');
    await mkdir(deep, { recursive: true });
    const places = [root, deep];
    for (const name of ['a', 'b', 'c']) {
      await git(root, 'worktree', 'add', '-q', '-b', name, join(base, 'trees', name));
      places.push(join(base, 'trees', name));
    }
    for (const place of places) {
      expect(await identifyFolder(place)).toEqual({ root, isRepository: true, remotes: ['git.example.com/acme/app'] });
    }
  });

  it('C6: equally named folders with other remotes are two', async () => {
    const one = await identifyFolder(await repository('a/app', 'https://git.example.com/one/app'));
    const two = await identifyFolder(await repository('b/app', 'https://git.example.com/two/app'));
    expect(one.root).not.toBe(two.root);
    expect(one.remotes).not.toEqual(two.remotes);
  });

  it('finds worktrees of a bare repository together', async () => {
    const source = await repository('source');
    await git(base, 'clone', '-q', '--bare', source, join(base, 'bare.git'));
    await git(join(base, 'bare.git'), 'worktree', 'add', '-q', join(base, 'w1'));
    await git(join(base, 'bare.git'), 'worktree', 'add', '-q', '-b', 'two', join(base, 'w2'));
    expect((await identifyFolder(join(base, 'w1'))).root).toBe(join(base, 'bare.git'));
    expect((await identifyFolder(join(base, 'w2'))).root).toBe(join(base, 'bare.git'));
  });

  it('keeps a submodule apart from what holds it', async () => {
    const library = await repository('library');
    const app = await repository('app');
    await git(app, 'submodule', '--quiet', 'add', library, 'vendor/library');
    expect((await identifyFolder(join(app, 'vendor', 'library'))).root).toBe(join(app, 'vendor', 'library'));
    expect((await identifyFolder(app)).root).toBe(app);
    expect(await branchOf(join(app, 'vendor', 'library'))).toBe('main');
  });

  it('C6: an unpacked folder cannot name another repository as its own: by a pointer, a made-up worktree, or a link', async () => {
    const mine = await repository('mine', 'git@git.example.com:acme/mine.git');
    await git(mine, 'worktree', 'add', '-q', '-b', 'a', join(base, 'tree'));
    const evil = join(base, 'evil');
    const forged = join(evil, 'forged');
    await mkdir(forged, { recursive: true });
    await writeFile(join(forged, 'HEAD'), 'ref: refs/heads/main\n');
    await writeFile(join(forged, 'gitdir'), '../.git\n');
    await writeFile(join(forged, 'commondir'), '../../mine/.git\n');
    await symlink(join(mine, '.git'), join(evil, 'store'));
    const dotGit = join(evil, '.git');
    for (const pointer of ['../mine/.git', '../mine/.git/worktrees/tree', 'forged', 'store', 'store/worktrees/tree']) {
      await writeFile(dotGit, `gitdir: ${pointer}\n`);
      expect(await identifyFolder(evil)).toEqual({ root: evil, isRepository: false, remotes: [] });
      expect(await branchOf(evil)).toBeNull();
    }
    await rm(dotGit);
    await symlink(join(mine, '.git'), dotGit);
    expect(await identifyFolder(evil)).toEqual({ root: evil, isRepository: false, remotes: [] });
    expect(await branchOf(join(base, 'tree'))).toBe('a');
  });

  it('sees through a symbolic link', async () => {
    const root = await repository('app');
    await symlink(root, join(base, 'link'));
    expect((await identifyFolder(join(base, 'link'))).root).toBe(root);
  });

  it('takes a folder without a repository, or with a damaged one, as itself', async () => {
    await mkdir(join(base, 'plain', '.git'), { recursive: true });
    const bare = { root: join(base, 'plain'), isRepository: false, remotes: [] };
    expect(await identifyFolder(join(base, 'plain'))).toEqual(bare);
    await rm(join(base, 'plain', '.git'), { recursive: true });
    await writeFile(join(base, 'plain', '.git'), 'gitdir: /nowhere/at/all\n');
    expect(await identifyFolder(join(base, 'plain'))).toEqual(bare);
  });
});

describe('remotesOfGitConfig', () => {
  it('reads addresses as git writes them', () => {
    const config = [
      '[core]\n\tbare = false',
      '[remote "fork"]\n\turl = https://git.example.com/me/app.git ; mine\n\tpushurl = x',
      '[remote "origin"]\n\turl = "git@git.example.com:acme/app.git"\n\turl = second',
      '[branch "main"]\n\tremote = origin\n\turl = not-a-remote',
    ].join('\n');
    expect([...remotesOfGitConfig(config)]).toEqual([
      ['fork', 'https://git.example.com/me/app.git'],
      ['origin', 'git@git.example.com:acme/app.git'],
    ]);
  });
});
