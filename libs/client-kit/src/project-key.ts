import { AppError } from './app-error.js';

/** `user@host:path`, as git writes ssh remotes; a one-letter "host" is a Windows drive, not a host. */
const SCP_FORM = /^(?:[^@/\s]+@)?([^:/\s]{2,}):(?!\/\/)(.+)$/;
const NETWORK_SCHEMES = new Set(['ssh:', 'git:', 'http:', 'https:', 'git+ssh:', 'git+https:', 'ftp:', 'ftps:']);

const cleanPath = (path: string): string | null => {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length === 0 || segments.some((segment) => segment === '.' || segment === '..')) return null;
  const joined = segments
    .join('/')
    .replace(/\.git$/i, '')
    .replace(/\/$/, '');
  return joined === '' ? null : joined;
};

const hostAndPath = (url: string): { host: string; path: string } | null => {
  if (url.includes('://')) {
    if (!URL.canParse(url)) return null;
    const parsed = new URL(url);
    if (!NETWORK_SCHEMES.has(parsed.protocol.toLowerCase()) || parsed.hostname === '') return null;
    return { host: parsed.hostname, path: parsed.pathname };
  }
  const scp = SCP_FORM.exec(url);
  return scp?.[1] === undefined || scp[2] === undefined ? null : { host: scp[1], path: scp[2] };
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * The one name of a git remote, `host/path`: ssh and https forms, ports, user names, credentials, `.git`, trailing
 * slashes and the case of the host make no difference. The case of the path is kept, because hosts differ on it.
 *
 * @returns `null` for what is no network remote (a folder, a file URL, a bundle), which identifies nothing for a team
 */
export const normaliseRemote = (url: string): string | null => {
  const trimmed = url.trim();
  if (trimmed === '' || trimmed.length > 2048 || /[\p{Cc}\s]/u.test(trimmed)) return null;
  const parts = hostAndPath(trimmed);
  if (parts === null) return null;
  const path = cleanPath(decoded(parts.path.replace(/[?#].*$/, '')));
  const host = parts.host.toLowerCase().replace(/\.$/, '');
  return path === null || host === '' ? null : `${host}/${path}`;
};

/**
 * A slug to propose for a project with this remote: its last path segment in lower case, `[a-z0-9-]`, 2 to 40
 * characters.
 *
 * @throws AppError `invalid-input` when the remote is no network remote or nothing usable is left of its name
 */
export const slugFromRemote = (url: string): string => {
  const remote = normaliseRemote(url);
  const name = remote?.split('/').at(-1) ?? '';
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  if (slug.length < 2) {
    throw new AppError(
      'invalid-input',
      'remote-without-name',
      'This git remote has no name to make a project slug from.',
    );
  }
  return slug;
};
