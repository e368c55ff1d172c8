import { neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { ME } from '../graphql/operations.js';
import { findWorkplace, serviceClient, type Workplace } from '../workplace.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';

/** The answer to {@link ME}. */
export const meShape = z.object({
  user: z.object({ id: z.string(), displayName: z.string(), role: z.string() }),
  tenant: z.object({ id: z.string(), name: z.string() }),
  memberships: z.array(z.object({ role: z.string(), project: z.object({ slug: z.string(), name: z.string() }) })),
});
type Me = z.output<typeof meShape>;

const linesOf = (me: Me, workplace: Workplace): string[] => {
  const { folder, binding, login } = workplace;
  const projects = me.memberships.map(
    ({ role, project }) => `${neutraliseLine(project.slug, 100)} (${role.toLowerCase()})`,
  );
  return [
    `${neutraliseLine(me.user.displayName, 80)}, ${me.user.role.toLowerCase()} of tenant ${neutraliseLine(me.tenant.name, 80)} at ${login?.server ?? ''}`,
    `Projects: ${projects.join(', ') || 'none'}`,
    binding === null
      ? `Folder ${folder.root} is bound to no project: run \`tempera init\``
      : `Folder ${folder.root} is bound to project ${neutraliseLine(binding.project, 100)}`,
  ];
};

const whoAmI = async (options: { readonly json?: boolean }, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const workplace = await findWorkplace(world);
  const me = await serviceClient(workplace, world).ask(ME, {}, 'me', meShape, true);
  terminal.result(linesOf(me, workplace), {
    server: workplace.login?.server,
    ...me,
    folder: workplace.folder.root,
    project: workplace.binding?.project ?? null,
  });
};

/** `tempera whoami` */
export const addWhoami: AddCommand = (program, world) => {
  withJson(program.command('whoami'))
    .summary('say who is logged in, and which project this folder has')
    .description('Says who is logged in, with which roles, and which project this folder is bound to.')
    .action((options: { readonly json?: boolean }) => whoAmI(options, world));
};
