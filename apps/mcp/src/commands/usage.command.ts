import { z } from 'zod';
import { USAGE } from '../graphql/team-operations.js';
import { type Column, tableLines } from '../output/table.js';
import { askerOfFolder } from '../workplace.js';
import { type AddCommand, shellOf, withJson } from './command.js';
import { factLines } from './lists.js';
import { bytesText, quotaFacts, quotaShape, tenantUsageShape } from './quota.js';

const activityShape = z.object({ points: z.number(), captures: z.number(), retrievals: z.number() });
const usageShape = z.object({
  quota: quotaShape,
  tenant: tenantUsageShape.nullable(),
  projects: z.array(
    z.object({ memories: z.number(), bytes: z.number(), project: z.object({ slug: z.string() }).nullable() }),
  ),
  users: z.array(
    z.object({
      memories: z.number(),
      bytes: z.number(),
      user: z.object({ displayName: z.string() }).nullable(),
      today: activityShape,
      last30Days: activityShape,
    }),
  ),
});
type Usage = z.output<typeof usageShape>;

const PEOPLE: readonly Column<Usage['users'][number]>[] = [
  { heading: 'person', cell: ({ user }) => user?.displayName ?? 'gone' },
  { heading: 'memories', cell: ({ memories }) => memories },
  { heading: 'size', cell: ({ bytes }) => bytesText(bytes) },
  { heading: 'captures today', cell: ({ today }) => today.captures },
  { heading: 'questions today', cell: ({ today }) => today.retrievals },
  { heading: 'captures 30 days', cell: ({ last30Days }) => last30Days.captures },
  { heading: 'questions 30 days', cell: ({ last30Days }) => last30Days.retrievals },
];
const PROJECTS: readonly Column<Usage['projects'][number]>[] = [
  { heading: 'project', cell: ({ project }) => project?.slug ?? 'none' },
  { heading: 'memories', cell: ({ memories }) => memories },
  { heading: 'size', cell: ({ bytes }) => bytesText(bytes) },
];

/** `tempera usage` */
export const addUsage: AddCommand = (program, world) => {
  withJson(program.command('usage'))
    .summary('what is kept and done, beside the quota')
    .description("Shows what is kept and done, beside the quota: your own, or for owners and admins the tenant's.")
    .addHelpText('after', '\nExamples:\n  tempera usage')
    .action(async (options: { readonly json?: boolean }) => {
      const { terminal } = shellOf(world, { ...options });
      const usage = await (await askerOfFolder(world)).ask(USAGE, {}, 'usage', usageShape, true);
      const { quota, tenant, projects, users } = usage;
      const tables = [
        ...(users.length === 0 ? [] : ['', ...tableLines(PEOPLE, users, terminal)]),
        ...(projects.length === 0 ? [] : ['', ...tableLines(PROJECTS, projects, terminal)]),
      ];
      terminal.result([...factLines(quotaFacts(quota, tenant)), ...tables], usage);
    });
};
