import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** Where git keeps what belongs to a folder. */
export interface GitPlace {
  /** Its own: of a worktree, what only that worktree has. Real path. */
  readonly own: string;
  /** What all worktrees share. Real path. */
  readonly common: string;
  /** Its `.git` is a file that names another folder. */
  readonly isElsewhere: boolean;
}

/** A file's text; `null` where there is none to read. */
export const readText = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
};

const realOf = (path: string): Promise<string | null> => realpath(path).catch(() => null);

/** A symbolic link is neither: whoever packs an archive chooses where it leads. */
const kindOf = async (path: string): Promise<'folder' | 'file' | 'none'> => {
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory() === true) return 'folder';
  return found?.isFile() === true ? 'file' : 'none';
};

const unquote = (value: string): string => value.replace(/^"(.*)"$/, '$1').replace(/\\(["\\])/g, '$1');

/** The values of one name in a git configuration, each with its section. Includes and rewrites are not followed. */
export const valuesOfGitConfig = (config: string, name: string): { section: string; value: string }[] => {
  const values: { section: string; value: string }[] = [];
  const setting = new RegExp(`^\\s*${name}\\s*=\\s*(.*?)\\s*(?:[#;].*)?$`, 'i');
  let section = '';
  for (const line of config.split(/\r?\n/)) {
    section = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.trim() ?? section;
    const value = setting.exec(line)?.[1];
    if (value !== undefined && value !== '') values.push({ section, value: unquote(value) });
  }
  return values;
};

/** A worktree's entry lies in the repository's own `worktrees` and names the folder: only git itself writes there. */
const commonOfWorktree = async (own: string, folder: string): Promise<string | null> => {
  const [shared, named] = await Promise.all([readText(join(own, 'commondir')), readText(join(own, 'gitdir'))]);
  if (shared === null || named === null) return null;
  const common = await realOf(resolve(own, shared.trim()));
  if (common === null || dirname(own) !== join(common, 'worktrees')) return null;
  const dotGit = resolve(own, named.trim());
  return basename(dotGit) === '.git' && (await realOf(dirname(dotGit))) === folder ? common : null;
};

/** A submodule's repository names its folder in its configuration. */
const isItsWorktree = async (own: string, folder: string): Promise<boolean> => {
  for (const file of ['config.worktree', 'config']) {
    const values = valuesOfGitConfig((await readText(join(own, file))) ?? '', 'worktree');
    const named = values.findLast(({ section }) => section.toLowerCase() === 'core')?.value;
    if (named !== undefined) return (await realOf(resolve(own, named))) === folder;
  }
  return false;
};

/**
 * Finds the repository of a folder by its `.git`. A file there is believed only where the repository it names points back at the
 * folder, as of a worktree or a submodule: else an unpacked archive would choose whose project it is.
 *
 * @returns `null` where the folder itself has none
 */
export const gitPlaceOf = async (folder: string): Promise<GitPlace | null> => {
  const real = await realOf(folder);
  if (real === null) return null;
  const dotGit = join(real, '.git');
  const kind = await kindOf(dotGit);
  if (kind === 'folder')
    return (await readText(join(dotGit, 'HEAD'))) === null ? null : { own: dotGit, common: dotGit, isElsewhere: false };
  if (kind === 'none') return null;
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec((await readText(dotGit)) ?? '')?.[1];
  const own = pointer === undefined ? null : await realOf(resolve(real, pointer));
  if (own === null || (await kindOf(own)) !== 'folder') return null;
  const common = await commonOfWorktree(own, real);
  if (common !== null) return { own, common, isElsewhere: true };
  return (await isItsWorktree(own, real)) ? { own, common: own, isElsewhere: true } : null;
};
