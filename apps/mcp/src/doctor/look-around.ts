import { stat } from 'node:fs/promises';
import { type AppErrorKind, neutraliseLine, tellError, readField } from '@tempera/client-kit';
import { z } from 'zod';
import { meShape } from '../commands/whoami.command.js';
import { graphqlRequest } from '../graphql/graphql-request.js';
import { ME, SERVICE } from '../graphql/operations.js';
import { DEFAULT_SERVER } from '../graphql/server-address.js';
import { LoginFiles } from '../state/login-file.js';
import { stateFolderPath } from '../state/state-folder.js';
import { findWorkplace, serviceClient, type Workplace } from '../workplace.js';
import type { World } from '../world.js';

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  readonly verdict: 'ok' | 'warning' | 'failure';
  readonly detail: string;
  readonly advice?: string;
  /** The kind of a failure, for the exit code. */
  readonly kind?: AppErrorKind;
}

const CLOCK_TOLERANCE_MS = 60_000;

const serviceShape = z.object({
  version: z.string(),
  encoders: z.array(z.object({ name: z.string(), ready: z.boolean(), detail: z.string() })),
});

const failure = (name: string, thrown: unknown): Finding => {
  const { error, text } = tellError(thrown, 'person');
  return { name, verdict: 'failure', detail: text, kind: error.kind };
};

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

const lookAtClock = (serverTime: Date | null, now: Date): Finding => {
  if (serverTime === null) return { name: 'clock', verdict: 'warning', detail: 'the server did not tell the time' };
  const offMs = now.getTime() - serverTime.getTime();
  const detail = `${Math.abs(Math.round(offMs / 1000))} s ${offMs < 0 ? 'behind' : 'ahead of'} the server`;
  if (Math.abs(offMs) <= CLOCK_TOLERANCE_MS) return { name: 'clock', verdict: 'ok', detail };
  return {
    name: 'clock',
    verdict: 'warning',
    detail,
    advice: 'Set the clock of this machine: ages and tokens depend on it.',
  };
};

const lookAtServer = async (server: string, world: World): Promise<Finding[]> => {
  const before = world.now();
  try {
    const { data, serverTime } = await graphqlRequest({ server, query: SERVICE, variables: {}, token: null }, world);
    const service = readField(data, 'service', serviceShape);
    const version = neutraliseLine(service.version, 40);
    const ms = world.now().getTime() - before.getTime();
    const fits = minorOf(version) === minorOf(world.version);
    const idle = service.encoders.filter((encoder) => !encoder.ready);
    const named = idle
      .map(({ name, detail }) => `${neutraliseLine(name, 60)} (${neutraliseLine(detail, 120)})`)
      .join(', ');
    const hasEncoder = service.encoders.some((encoder) => encoder.ready);
    return [
      { name: 'server', verdict: 'ok', detail: `${server} answered in ${ms} ms` },
      {
        name: 'version',
        verdict: fits ? 'ok' : 'warning',
        detail: `client ${world.version}, server ${version}`,
        ...(fits ? {} : { advice: 'Update the older one.' }),
      },
      hasEncoder && idle.length === 0
        ? {
            name: 'encoders',
            verdict: 'ok',
            detail: service.encoders.map(({ name }) => neutraliseLine(name, 60)).join(', '),
          }
        : {
            name: 'encoders',
            verdict: 'warning',
            detail: `not ready: ${named || 'none installed'}`,
            advice: 'Until then search goes by keyword.',
          },
      lookAtClock(serverTime, world.now()),
    ];
  } catch (error) {
    return [failure('server', error)];
  }
};

const lookAtLogin = async (workplace: Workplace, world: World): Promise<Finding[]> => {
  const { login, binding } = workplace;
  try {
    const me = await serviceClient(workplace, world).ask(ME, {}, 'me', meShape, true);
    const who = `${neutraliseLine(me.user.displayName, 80)}, ${me.user.role.toLowerCase()} of ${neutraliseLine(me.tenant.name, 80)} at ${login?.server ?? ''}`;
    const found: Finding = { name: 'login', verdict: 'ok', detail: who };
    const isAdmin = me.user.role === 'OWNER' || me.user.role === 'ADMIN';
    const isMember = me.memberships.some(({ project }) => project.slug === binding?.project);
    if (binding === null || isMember || isAdmin) return [found];
    const gone = `you are not in project ${neutraliseLine(binding.project, 100)}, to which this folder is bound`;
    return [
      found,
      {
        name: 'membership',
        verdict: 'failure',
        detail: gone,
        kind: 'not-found',
        advice: 'Ask a maintainer to add you, or run `tempera init` anew.',
      },
    ];
  } catch (error) {
    return [failure('login', error)];
  }
};

const lookAtFolder = ({ folder, binding }: Workplace): Finding => {
  const what = folder.isRepository ? `repository ${folder.root}` : `folder ${folder.root}`;
  if (binding !== null)
    return { name: 'folder', verdict: 'ok', detail: `${what}, project ${neutraliseLine(binding.project, 100)}` };
  const advice = 'Run `tempera init` here to share with a project; until then captures stay private.';
  return { name: 'folder', verdict: 'warning', detail: `${what} is bound to no project`, advice };
};

/** Files with tokens must be for their user alone; Windows keeps that by the folder's inherited rights instead. */
const lookAtState = async (workplace: Workplace, world: World): Promise<Finding> => {
  const folder = stateFolderPath(world);
  if (workplace.loginKey === null || workplace.login === null || world.platform === 'win32') {
    return { name: 'state', verdict: 'ok', detail: folder };
  }
  const path = new LoginFiles(world).path(workplace.loginKey);
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & 0o077) === 0) return { name: 'state', verdict: 'ok', detail: `${folder}, for you alone` };
  return {
    name: 'state',
    verdict: 'failure',
    detail: `${path} can be read by others`,
    advice: `chmod 600 ${path}`,
    kind: 'forbidden',
  };
};

/** Looks at everything the client depends on, nearest cause first. Never throws for what it finds. */
export const lookAround = async (world: World): Promise<Finding[]> => {
  let workplace: Workplace;
  try {
    workplace = await findWorkplace(world);
  } catch (error) {
    return [failure('state', error)];
  }
  const named = world.environment['TEMPERA_SERVER'];
  const server = workplace.login?.server ?? (named === undefined || named === '' ? DEFAULT_SERVER : named);
  const aboutServer = await lookAtServer(server, world);
  const isReachable = aboutServer[0]?.verdict === 'ok';
  return [
    { name: 'client', verdict: 'ok', detail: `tempera ${world.version}` },
    await lookAtState(workplace, world),
    ...aboutServer,
    ...(isReachable ? await lookAtLogin(workplace, world) : []),
    lookAtFolder(workplace),
  ];
};
