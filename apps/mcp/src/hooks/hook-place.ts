import { ServiceClient } from '../graphql/service-client.js';
import { LoginFiles } from '../state/login-file.js';
import { findWorkplace, type Workplace } from '../workplace.js';
import type { World } from '../world.js';
import type { HookInput } from './hook-input.js';

/** Where a hook works: what the person bound, whatever the folder itself says. */
export const placeOf = (input: HookInput, world: World): Promise<Workplace> =>
  findWorkplace({ ...world, cwd: input.folder ?? world.cwd });

/** The service of a bound folder; `null` where nothing may be injected. */
export const askerOf = (place: Workplace, world: World): { client: ServiceClient; project: string } | null =>
  place.binding === null || place.loginKey === null
    ? null
    : { client: new ServiceClient(new LoginFiles(world), place.loginKey, world), project: place.binding.project };
