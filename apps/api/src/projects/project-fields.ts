import { AppError, normaliseRemote } from '@tempera/client-kit';
import { MAX_REMOTES } from './project.types.js';

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const MAX_REMOTE_LENGTH = 500;

/** @throws AppError `invalid-input` for anything but a slug */
export const requireSlug = (slug: string): string => {
  if (SLUG.test(slug)) return slug;
  const message = '`slug` has 1 to 63 characters of a-z, 0-9 and -, and does not begin with -.';
  throw new AppError('invalid-input', 'slug', message);
};

/** A remote in its one form. @throws AppError `invalid-input` for what is no network remote */
export const requireRemote = (remote: string): string => {
  const name = normaliseRemote(remote);
  if (name !== null && name.length <= MAX_REMOTE_LENGTH) return name;
  throw new AppError('invalid-input', 'remote', 'A remote is the network address of a git repository.');
};

export const tooManyRemotes = (): AppError =>
  new AppError('invalid-input', 'too-many-remotes', `A project has at most ${MAX_REMOTES} remotes.`);

/** Remotes in their one form, without repetitions. @throws AppError `invalid-input` */
export const requireRemotes = (remotes: readonly string[]): string[] => {
  if (remotes.length > MAX_REMOTES) throw tooManyRemotes();
  return [...new Set(remotes.map(requireRemote))];
};

/** What a taken slug or remote is told as, whichever project of the tenant has it. */
export const projectTaken = (): AppError =>
  new AppError('conflict', 'project-taken', 'A project of this tenant has that slug or one of those remotes.');
