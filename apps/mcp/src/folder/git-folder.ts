import { readFile, realpath, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { normaliseRemote } from '@tempera/client-kit';

/** What a folder is to a team: a repository that all its worktrees and sub-folders share, or just a folder. */
export interface FolderIdentity {
  /** Real path of the repository's root (of its main worktree; of the repository itself when it is bare), else of the folder. */
  readonly root: string;
  readonly isRepository: boolean;
  /** Normalised remotes, `origin` first. */
  readonly remotes: readonly string[];
}

const readText = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
};

const kindOf = async (path: string): Promise<'folder' | 'file' | 'none'> => {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'none';
  }
};

/** The folder that holds what all worktrees share. A worktree's `.git` is a file that leads to it in two steps. */
const commonGitFolder = async (dotGit: string, kind: 'folder' | 'file'): Promise<string | null> => {
  if (kind === 'folder') return (await readText(join(dotGit, 'HEAD'))) === null ? null : dotGit;
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec((await readText(dotGit)) ?? '')?.[1];
  if (pointer === undefined) return null;
  const gitFolder = resolve(dirname(dotGit), pointer);
  const common = (await readText(join(gitFolder, 'commondir')))?.trim();
  return common === undefined || common === '' ? gitFolder : resolve(gitFolder, common);
};

const unquote = (value: string): string => value.replace(/^"(.*)"$/, '$1').replace(/\\(["\\])/g, '$1');

/** Remote addresses in a git configuration, by name. Includes and rewrites are not followed. */
export const remotesOfGitConfig = (config: string): ReadonlyMap<string, string> => {
  const remotes = new Map<string, string>();
  let remote: string | null = null;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) remote = /^remote\s+"(.+)"$/i.exec(section.trim())?.[1] ?? null;
    const url = /^\s*url\s*=\s*(.*?)\s*(?:[#;].*)?$/i.exec(line)?.[1];
    if (remote !== null && url !== undefined && url !== '' && !remotes.has(remote)) remotes.set(remote, unquote(url));
  }
  return remotes;
};

/** An address of a normalised remote: the normal form itself names none, and the service takes addresses. */
export const addressOfRemote = (remote: string): string => {
  const [host = '', ...path] = remote.split('/');
  return `https://${[host, ...path.map(encodeURIComponent)].join('/')}`;
};

const NAMES_FIRST = ['origin', 'upstream'];
const rank = (name: string): number => (NAMES_FIRST.includes(name) ? NAMES_FIRST.indexOf(name) : NAMES_FIRST.length);

const normalisedRemotes = async (gitFolder: string): Promise<string[]> => {
  const byName = [...remotesOfGitConfig((await readText(join(gitFolder, 'config'))) ?? '')];
  byName.sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other));
  const keys = byName.map(([, url]) => normaliseRemote(url)).filter((key) => key !== null);
  return [...new Set(keys)];
};

const repositoryAt = async (folder: string): Promise<FolderIdentity | null> => {
  const dotGit = join(folder, '.git');
  const kind = await kindOf(dotGit);
  if (kind === 'none') return null;
  const common = await commonGitFolder(dotGit, kind);
  if (common === null || (await kindOf(common)) !== 'folder') return null;
  const real = await realpath(common);
  // A submodule's repository lies in its parent's `.git/modules`; its own folder names it better.
  const isShared =
    kind === 'folder' || (await readText(join(real, 'HEAD'))) === null || !real.includes(join('.git', 'modules'));
  const root = isShared ? (basename(real) === '.git' ? dirname(real) : real) : await realpath(folder);
  return { root, isRepository: true, remotes: await normalisedRemotes(real) };
};

/**
 * Finds what a folder belongs to by its own `.git`, never by its name: worktrees and sub-folders of a repository are one,
 * equally named folders are not (C6). Reads files only; no program is started in a folder that may be hostile.
 */
export const identifyFolder = async (folder: string): Promise<FolderIdentity> => {
  const start = await realpath(folder);
  for (let at = start; ; at = dirname(at)) {
    const repository = await repositoryAt(at);
    if (repository !== null) return repository;
    if (dirname(at) === at) return { root: start, isRepository: false, remotes: [] };
  }
};

const ownGitFolder = async (folder: string): Promise<string | null> => {
  const dotGit = join(folder, '.git');
  const kind = await kindOf(dotGit);
  if (kind !== 'file') return kind === 'folder' ? dotGit : null;
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec((await readText(dotGit)) ?? '')?.[1];
  return pointer === undefined ? null : resolve(folder, pointer);
};

/** The branch that is checked out in a folder, each worktree its own; `null` where there is none. Reads files only. */
export const branchOf = async (folder: string): Promise<string | null> => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const git = await ownGitFolder(at);
    const head = git === null ? null : await readText(join(git, 'HEAD'));
    if (head !== null) return /^ref: refs\/heads\/(.{1,300})$/m.exec(head)?.[1]?.trim() ?? null;
    if (dirname(at) === at) return null;
  }
};

/** The folder that a client opens: the nearest with a repository, of a worktree its own; else the folder itself. */
export const topOf = (folder: string): string => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return resolve(folder);
  }
};
