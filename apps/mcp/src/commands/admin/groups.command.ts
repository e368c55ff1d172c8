import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import {
  ADD_PROJECT_TO_GROUP,
  CREATE_GROUP,
  DELETE_GROUP,
  LIST_GROUPS,
  REMOVE_PROJECT_FROM_GROUP,
  UPDATE_GROUP,
} from '../../graphql/sharing-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { given, listOption } from '../command.js';
import { LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Call, Verbs } from '../verb.js';

const groupShape = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  createdAt: z.string(),
  projects: z.array(z.object({ slug: z.string() })),
});
type Group = z.output<typeof groupShape>;

const projectsOf = ({ projects }: Group): string => projects.map(({ slug }) => slug).join(', ') || 'no projects';

const COLUMNS: readonly Column<Group>[] = [
  { heading: 'group', cell: ({ slug }) => slug },
  { heading: 'name', cell: ({ name }) => name },
  { heading: 'since', cell: ({ createdAt }) => minuteText(createdAt) },
  { heading: 'projects', cell: projectsOf },
];

const changed = async (
  call: Call,
  operation: { query: string; field: string; done: string },
  variables: Record<string, unknown>,
): Promise<void> => {
  const group = await call.asker.ask(operation.query, variables, operation.field, groupShape, false);
  showDone(call, operation.done, `group ${named(group.slug)} (${named(projectsOf(group))}).`, group);
};

const update = (call: Call): Promise<void> => {
  const input = given({ name: call.options['name'], slug: call.options['slug'] });
  if (Object.keys(input).length === 0) {
    throw new AppError('invalid-input', 'no-change', 'Nothing to change: say --name or --slug.');
  }
  const operation = { query: UPDATE_GROUP, field: 'updateGroup', done: 'Changed' };
  return changed(call, operation, { group: call.args[0], input });
};

const MOVE_BACK = [
  '--move-back',
  'moves the memories that are shared through it back to their projects first',
] as const;

/** `tempera admin groups` */
export const GROUP_VERBS: Verbs = {
  list: {
    summary: 'list groups of projects, which share memories with each other',
    options: [LIMIT_OPTION],
    examples: ['groups list'],
    run: (call) => showList(call, { query: LIST_GROUPS, field: 'groups', node: groupShape }, {}, COLUMNS, 'No groups.'),
  },
  create: {
    args: '<slug>',
    summary: 'make a group of projects (a maintainer of a project too)',
    options: [
      ['--name <name>', 'its full name (default: the slug)'],
      ['--projects <a,b>', 'slugs of its projects'],
    ],
    examples: ['groups create payments --name "Payments" --projects web-shop,pay-desk'],
    run: (call) => {
      const [slug] = call.args;
      const input = given({ slug, name: call.options['name'] ?? slug, projects: listOption(call.options['projects']) });
      return changed(call, { query: CREATE_GROUP, field: 'createGroup', done: 'Created' }, { input });
    },
  },
  update: {
    args: '<group>',
    summary: 'change the name or the slug of a group',
    options: [
      ['--name <name>', 'its new name'],
      ['--slug <slug>', 'its new short name'],
    ],
    examples: ['groups update payments --name "All about payments"'],
    run: update,
  },
  add: {
    args: '<group> <project>',
    summary: "let a project into a group, which shows the group's memories to the project's people",
    examples: ['groups add payments web-shop'],
    run: (call) => {
      const [group, project] = call.args;
      const operation = { query: ADD_PROJECT_TO_GROUP, field: 'addProjectToGroup', done: 'Changed' };
      return changed(call, operation, { group, project });
    },
  },
  remove: {
    args: '<group> <project>',
    summary: 'put a project out of a group',
    options: [MOVE_BACK],
    question: ([group, project]) => `Put project ${named(project ?? '')} out of group ${named(group ?? '')}?`,
    examples: ['groups remove payments web-shop --move-back'],
    run: (call) => {
      const [group, project] = call.args;
      const operation = { query: REMOVE_PROJECT_FROM_GROUP, field: 'removeProjectFromGroup', done: 'Changed' };
      return changed(call, operation, { group, project, moveBack: call.options['moveBack'] === true });
    },
  },
  delete: {
    args: '<group>',
    summary: 'delete a group that shares nothing any more',
    options: [MOVE_BACK],
    question: ([group]) => `Delete group ${named(group ?? '')}?`,
    examples: ['groups delete payments --move-back'],
    run: (call) => {
      const operation = { query: DELETE_GROUP, field: 'deleteGroup', done: 'Deleted' };
      return changed(call, operation, { group: call.args[0], moveBack: call.options['moveBack'] === true });
    },
  },
};
