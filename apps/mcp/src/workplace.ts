import type { ToolContext } from '@tempera/client-kit';
import { type FolderIdentity, identifyFolder } from './folder/git-folder.js';
import { glyphsOf } from './output/glyphs.js';
import { ServiceClient } from './graphql/service-client.js';
import { notLoggedIn } from './state/access-tokens.js';
import { type FolderBinding, FolderBindings } from './state/folder-bindings.js';
import { type Login, LoginFiles } from './state/login-file.js';
import type { World } from './world.js';

/** Where the caller stands: the folder, what it is bound to, and the login used there. */
export interface Workplace {
  readonly folder: FolderIdentity;
  readonly binding: FolderBinding | null;
  /** `null` when there is no login to use here. */
  readonly loginKey: string | null;
  readonly login: Login | null;
}

/** The folder a client works in: what Claude Code says, else where the process was started. */
export const workingFolder = ({ environment, cwd }: Pick<World, 'environment' | 'cwd'>): string => {
  const named = environment['CLAUDE_PROJECT_DIR'];
  return named === undefined || named === '' ? cwd : named;
};

/** Looks anew at each call, so that a login or a binding made meanwhile counts at once. */
export const findWorkplace = async (world: World): Promise<Workplace> => {
  const files = new LoginFiles(world);
  const folder = await identifyFolder(workingFolder(world));
  const binding = await new FolderBindings(world).find(folder);
  const loginKey = binding?.login ?? (await files.current());
  const login = loginKey === null ? null : await files.read(loginKey);
  return { folder, binding, loginKey, login };
};

/** The client of the workplace's login. @throws AppError `unauthenticated` when there is none */
export const serviceClient = (workplace: Workplace, world: World): ServiceClient => {
  if (workplace.loginKey === null || workplace.login === null) throw notLoggedIn();
  return new ServiceClient(new LoginFiles(world), workplace.loginKey, world);
};

/** {@link serviceClient} of where the caller stands. @throws AppError `unauthenticated` */
export const askerOfFolder = async (world: World): Promise<ServiceClient> =>
  serviceClient(await findWorkplace(world), world);

const SESSION_VARIABLE = 'CLAUDE_CODE_SESSION_ID';

/** What one call of a tool may use here and now. @throws AppError `unauthenticated` */
export const toolContext = async (world: World, source: ToolContext['source']): Promise<ToolContext> => {
  const workplace = await findWorkplace(world);
  // A session's start asks where it stands, and does without the tools.
  const { backendOf } = await import('./tools-backend.js');
  const backend = backendOf(serviceClient(workplace, world));
  const session = world.environment[SESSION_VARIABLE];
  return {
    backend,
    boundProject: workplace.binding?.project ?? null,
    sessionKey: session === undefined || session === '' ? null : session,
    source,
    ...(source === 'CLI' ? { glyphs: glyphsOf(world) } : {}),
    queue: async (request) =>
      (await import('./spool/queue-capture.js')).queueCapture(request, workplace.loginKey, world),
    waitingHere: async () => (await import('./spool/spool-summary.js')).spoolSummary(world),
    now: () => world.now(),
    wait: (ms) => world.wait(ms),
    newId: () => world.newId(),
    randomHex: () => world.randomHex(),
  };
};
