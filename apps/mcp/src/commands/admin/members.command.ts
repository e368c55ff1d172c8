import { z } from 'zod';
import { ADD_MEMBER, PROJECT_MEMBERS, REMOVE_MEMBER } from '../../graphql/admin-operations.js';
import type { Column } from '../../output/table.js';
import { given, PROJECT_ROLES, wordOption } from '../command.js';
import { PEOPLE } from '../known-id.js';
import { printList } from '../pages.js';
import { named, showDone } from '../lists.js';
import type { Verbs } from '../verb.js';

const memberShape = z.object({ role: z.string(), user: z.object({ id: z.string(), displayName: z.string() }) });

const COLUMNS: readonly Column<z.output<typeof memberShape>>[] = [
  { heading: 'id', cell: ({ user }) => user.id },
  { heading: 'name', cell: ({ user }) => user.displayName },
  { heading: 'role', cell: ({ role }) => role.toLowerCase() },
];

/** `tempera admin members` */
export const MEMBER_VERBS: Verbs = {
  list: {
    args: '<project>',
    summary: 'list who is in a project',
    examples: ['members list web-shop'],
    run: async ({ asker, terminal, args }) => {
      const shape = z.object({ slug: z.string(), members: z.array(memberShape) });
      const { members } = await asker.ask(PROJECT_MEMBERS, { slug: args[0] }, 'project', shape, true);
      printList(terminal, { nodes: members, hasMore: false }, COLUMNS, 'Nobody is in it.');
    },
  },
  add: {
    args: '<project> <id>',
    ids: { 1: PEOPLE },
    summary: 'put a person into a project, or change their role there',
    options: [['--role <role>', `${PROJECT_ROLES.join(', ')} (default contributor)`]],
    examples: ['members add web-shop 0192f0c4-0000-4000-8000-000000000001 --role maintainer'],
    run: async (call) => {
      const [project, userId] = call.args;
      const input = given({ project, userId, role: wordOption('--role', call.options['role'], PROJECT_ROLES) });
      const member = await call.asker.ask(ADD_MEMBER, { input }, 'addMember', memberShape, true);
      const told = `${named(member.user.displayName)} is ${member.role.toLowerCase()} of ${named(project ?? '')}.`;
      showDone(call, 'Done:', told, member);
    },
  },
  remove: {
    args: '<project> <id>',
    ids: { 1: PEOPLE },
    summary: 'take a person out of a project',
    question: ([project, id]) => `Take ${named(id ?? '')} out of project ${named(project ?? '')}?`,
    examples: ['members remove web-shop 0192f0c4-0000-4000-8000-000000000001'],
    run: async (call) => {
      const [project, userId] = call.args;
      const shape = z.object({ slug: z.string() });
      const left = await call.asker.ask(REMOVE_MEMBER, { project, userId }, 'removeMember', shape, true);
      showDone(call, 'Removed', `from project ${named(left.slug)}.`, { project: left.slug, userId });
    },
  },
};
