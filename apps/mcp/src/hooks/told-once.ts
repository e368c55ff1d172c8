import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppError, runnable } from '@tempera/client-kit';
import { writePrivateJson } from '../state/private-file.js';
import { ensurePrivateFolder, stateFolderPath } from '../state/state-folder.js';
import type { Workplace } from '../workplace.js';
import type { World } from '../world.js';

/** A login is another one when its secret is; of the secret itself nothing is written. */
const markOf = ({ loginKey, login }: Workplace): string =>
  createHash('sha256')
    .update(`${loginKey ?? ''}\n${login?.secret.token ?? ''}`)
    .digest('hex');

/**
 * One line for the person when a login no longer works, said once for each login: at every prompt it would be noise.
 *
 * @returns `null` for what is no matter of a login, and when it was said before
 */
export const loginLine = async (error: unknown, place: Workplace, world: World): Promise<string | null> => {
  if (!isAppError(error) || error.kind !== 'unauthenticated') return null;
  const folder = stateFolderPath(world);
  const path = join(folder, 'told.json');
  const mark = markOf(place);
  const told = await readFile(path, 'utf8').catch(() => '');
  if (told.includes(mark)) return null;
  await ensurePrivateFolder(folder);
  await writePrivateJson(path, { login: mark }, world.randomHex());
  const what = error.message.replace(/\.$/, '');
  return runnable(
    `Tempera: ${what}. Run \`tempera login\` to go on; what is captured waits until then.`,
    world.invocation,
  );
};
