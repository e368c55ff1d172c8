import { realpath } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { normaliseRemote } from '@tempera/client-kit';
import { gitPlaceOf, readText, valuesOfGitConfig } from './git-pointer.js';

/** What a folder is to a team: a repository that all its worktrees and sub-folders share, or just a folder. */
export interface FolderIdentity {
  /** Real path of the repository's root (of its main worktree; of the repository itself when it is bare), else of the folder. */
  readonly root: string;
  readonly isRepository: boolean;
  /** Normalised remotes, `origin` first. */
  readonly remotes: readonly string[];
}

/** Remote addresses in a git configuration, by name. Includes and rewrites are not followed. */
export const remotesOfGitConfig = (config: string): ReadonlyMap<string, string> => {
  const remotes = new Map<string, string>();
  for (const { section, value } of valuesOfGitConfig(config, 'url')) {
    const remote = /^remote\s+"(.+)"$/i.exec(section)?.[1];
    if (remote !== undefined && !remotes.has(remote)) remotes.set(remote, value);
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
  const place = await gitPlaceOf(folder);
  if (place === null) return null;
  const { common, isElsewhere } = place;
  // A submodule's repository lies in its parent's `.git/modules`; its own folder names it better.
  const isShared = !isElsewhere || !common.includes(join('.git', 'modules'));
  const root = isShared ? (basename(common) === '.git' ? dirname(common) : common) : await realpath(folder);
  return { root, isRepository: true, remotes: await normalisedRemotes(common) };
};

/**
 * Finds what a folder belongs to by its own `.git`, never by its name or its word alone: worktrees and sub-folders of a repository are one,
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

/** The branch that is checked out in a folder, each worktree its own; `null` where there is none. Reads files only. */
export const branchOf = async (folder: string): Promise<string | null> => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const place = await gitPlaceOf(at);
    const head = place === null ? null : await readText(join(place.own, 'HEAD'));
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
