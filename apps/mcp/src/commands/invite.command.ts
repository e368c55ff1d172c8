import { AppError, isAppError, neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { CREATE_LOGIN_CODE, INVITE_USER } from '../graphql/team-operations.js';
import type { ServiceClient } from '../graphql/service-client.js';
import { findWorkplace, serviceClient } from '../workplace.js';
import type { World } from '../world.js';
import { type AddCommand, given, PROJECT_ROLES, shellOf, TENANT_ROLES, withJson, wordOption } from './command.js';
import { handOver } from './hand-over.js';
import { fetchProjects, noSuchProject } from './projects-of-caller.js';

const codeShape = z.object({ code: z.string(), expiresAt: z.string() });

interface InviteOptions {
  readonly email?: string;
  readonly role?: string;
  readonly project?: string;
  readonly projectRole?: string;
  readonly json?: boolean;
}

/** What the person becomes, in words. */
const placesOf = ({ role = 'member', project, projectRole = 'contributor' }: InviteOptions): string => {
  const inTenant = neutraliseLine(role.trim().toLowerCase(), 20);
  if (project === undefined) return `${inTenant} of the tenant`;
  return `${inTenant} of the tenant, ${neutraliseLine(projectRole.trim().toLowerCase(), 20)} of project ${neutraliseLine(project, 100)}`;
};

/** Of what can be missing here, only the project has a name that a person mistypes. */
const refusedFor = async (error: unknown, project: string | undefined, client: ServiceClient): Promise<never> => {
  if (project === undefined || !isAppError(error) || error.kind !== 'not-found') throw error;
  throw noSuchProject(project, await fetchProjects(client));
};

const invite = async (name: string, options: InviteOptions, world: World): Promise<void> => {
  const shell = shellOf(world, { ...options });
  if (options.projectRole !== undefined && options.project === undefined) {
    throw new AppError('invalid-input', 'role-without-project', '--project-role needs --project SLUG.');
  }
  const workplace = await findWorkplace(world);
  const input = given({
    displayName: name,
    email: options.email,
    role: wordOption('--role', options.role, TENANT_ROLES),
    project: options.project,
    projectRole:
      options.project === undefined
        ? undefined
        : wordOption('--project-role', options.projectRole ?? 'contributor', PROJECT_ROLES),
  });
  const client = serviceClient(workplace, world);
  const invitation = await client
    .ask(INVITE_USER, { input }, 'inviteUser', codeShape.extend({ id: z.string(), link: z.string() }), false)
    .catch((error: unknown) => refusedFor(error, options.project, client));
  const server = workplace.login?.server ?? '';
  const lines = handOver(`${neutraliseLine(name, 80)} runs this`, server, invitation, shell.terminal);
  // Without the code behind it: once is enough for a secret to stand on a screen.
  const page = URL.canParse(invitation.link) ? new URL(invitation.link) : null;
  if (page !== null) lines.push('or opens this page and pastes it there:', `  ${page.origin}${page.pathname}`);
  const told = `${shell.terminal.paint('green', 'Invited')} ${neutraliseLine(name, 80)} as ${placesOf(options)}.`;
  shell.terminal.result([told, ...lines], { ...invitation, server });
};

/** `tempera invite` */
export const addInvite: AddCommand = (program, world) => {
  withJson(program.command('invite'))
    .summary('invite a person (owner, admin)')
    .description(
      'Invites a person into the tenant, and into a project if you name one. Prints a one-time code to hand over.',
    )
    .argument('<name>', "the person's name")
    .option('--email <address>', 'shown to the person and to admins')
    .option('--role <role>', `${TENANT_ROLES.join(', ')} (default member); never above your own`)
    .option('--project <slug>', 'a project to join in the same step')
    .option('--project-role <role>', `${PROJECT_ROLES.join(', ')} (default contributor)`)
    .addHelpText(
      'after',
      '\nExamples:\n  tempera invite Ben --project web-shop\n  tempera invite "Dora Díaz" --email dora@example.com --role admin',
    )
    .action((name: string, options: InviteOptions) => invite(name, options, world));
};

const loginCode = async (options: { readonly json?: boolean }, world: World): Promise<void> => {
  const shell = shellOf(world, { ...options });
  const workplace = await findWorkplace(world);
  const code = await serviceClient(workplace, world).ask(CREATE_LOGIN_CODE, {}, 'createLoginCode', codeShape, false);
  const server = workplace.login?.server ?? '';
  shell.terminal.result(handOver('On your other machine run this', server, code, shell.terminal), { ...code, server });
};

/** `tempera login-code` */
export const addLoginCode: AddCommand = (program, world) => {
  withJson(program.command('login-code'))
    .summary('make a one-time code for another machine of yours')
    .description('Makes a one-time code with which you log in on another machine.')
    .addHelpText('after', '\nExamples:\n  tempera login-code')
    .action((options: { readonly json?: boolean }) => loginCode(options, world));
};
