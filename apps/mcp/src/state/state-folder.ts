import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { AppError } from '@tempera/client-kit';
import type { World } from '../world.js';

type Surroundings = Pick<World, 'environment' | 'platform' | 'home'>;

const fromEnvironment = (environment: World['environment'], name: string): string | null => {
  const value = environment[name];
  if (value === undefined || value === '') return null;
  if (!isAbsolute(value)) {
    throw new AppError('invalid-input', 'state-folder-relative', `${name} must be an absolute path.`);
  }
  return value;
};

/**
 * Where the client keeps logins and bindings: `TEMPERA_HOME`, else the platform's folder for a user's state. Never inside
 * a repository, so that nothing of it can be committed.
 */
export const stateFolderPath = ({ environment, platform, home }: Surroundings): string => {
  const own = fromEnvironment(environment, 'TEMPERA_HOME');
  if (own !== null) return own;
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'tempera');
  const state = fromEnvironment(environment, 'XDG_STATE_HOME');
  if (state !== null) return join(state, 'tempera');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'tempera');
  return join(home, '.local', 'state', 'tempera');
};

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Node's own `recursive: true` never returns where making a folder fails as if its parent were missing, as below /proc. */
const makeFolders = async (path: string): Promise<void> => {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolders(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!(await isFolder(path))) throw error;
  }
};

/** Makes a folder of the state that only its user can enter. @throws AppError `unavailable`, naming the setting */
export const ensurePrivateFolder = async (path: string): Promise<void> => {
  try {
    await makeFolders(path);
    await chmod(path, 0o700);
  } catch (cause) {
    throw new AppError('unavailable', 'state-folder-unwritable', `The state folder ${path} cannot be written.`, {
      cause,
      details: { fix: 'Make it writable, or name another one in TEMPERA_HOME.' },
    });
  }
};
