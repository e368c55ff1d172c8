import { DEFAULT_SERVER, readServerAddress } from '../graphql/server-address.js';
import { LoginFiles } from '../state/login-file.js';
import type { World } from '../world.js';

/** The service to log in to: as named, else `TEMPERA_SERVER`, else that of the last login, else this machine's. */
export const findServer = async (option: string | undefined, allowHttp: boolean, world: World): Promise<string> => {
  const named = option ?? world.environment['TEMPERA_SERVER'];
  if (named !== undefined && named !== '') return readServerAddress(named, allowHttp);
  const files = new LoginFiles(world);
  const current = await files.current();
  return (current === null ? null : await files.read(current))?.server ?? DEFAULT_SERVER;
};
