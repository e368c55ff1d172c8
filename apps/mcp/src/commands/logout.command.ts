import { isAppError } from '@tempera/client-kit';
import { z } from 'zod';
import { ServiceClient } from '../graphql/service-client.js';
import { LOGOUT } from '../graphql/operations.js';
import { notLoggedIn } from '../state/access-tokens.js';
import { loginIn, SpoolFolder } from '../spool/spool-folder.js';
import { LoginFiles } from '../state/login-file.js';
import { findWorkplace } from '../workplace.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';

const endedShape = z.object({ sessionsEnded: z.number() });

interface LogoutOptions {
  readonly everywhere?: boolean;
  readonly json?: boolean;
}

/** @returns how many sessions the service ended; `null` when it could not be told, or the login had ended already */
const endSession = async (client: ServiceClient, everywhere: boolean): Promise<number | null> => {
  try {
    return (await client.ask(LOGOUT, { everywhere }, 'logout', endedShape, true)).sessionsEnded;
  } catch (error) {
    if (isAppError(error) && (error.kind === 'unauthenticated' || (error.kind === 'unavailable' && !everywhere)))
      return null;
    throw error;
  }
};

const logOut = async (options: LogoutOptions, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const files = new LoginFiles(world);
  const { loginKey, login } = await findWorkplace(world);
  if (loginKey === null || login === null) throw notLoggedIn();
  const isPersonal = login.secret.kind === 'personal';
  const ended = isPersonal
    ? null
    : await endSession(new ServiceClient(files, loginKey, world), options.everywhere === true);
  await files.locked(loginKey, () => files.remove(loginKey));
  const other = (await files.keys())[0];
  if ((await files.current()) === loginKey && other !== undefined) await files.setCurrent(other);
  const told =
    ended === null
      ? isPersonal
        ? 'The personal access token stays valid: if it may be known, whoever issued it runs `tempera token revoke ID`.'
        : 'The service was not told; the session ends by itself when it is not renewed.'
      : `Sessions ended: ${ended}.`;
  const waiting = (await new SpoolFolder(world).names()).filter((name) => loginIn(name) === loginKey).length;
  const lines = [`Logged out of ${login.server}. ${told}`];
  if (waiting > 0) lines.push(`${waiting} of this login wait to be delivered; they stay here until its next login.`);
  terminal.result(lines, { server: login.server, sessionsEnded: ended, waiting });
};

/** `tempera logout` */
export const addLogout: AddCommand = (program, world) => {
  withJson(program.command('logout'))
    .summary('end the login used in this folder')
    .description(
      'Ends the login used in this folder and removes its file. Bindings of folders stay, for the next login.',
    )
    .option('--everywhere', 'end your sessions on all machines')
    .action((options: LogoutOptions) => logOut(options, world));
};
