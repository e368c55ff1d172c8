import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import {
  ADD_REMOTE,
  ADMIN_PROJECTS,
  ARCHIVE_PROJECT,
  REMOVE_REMOTE,
  RESTORE_PROJECT,
  UPDATE_PROJECT,
} from '../../graphql/admin-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { given, wordOption } from '../command.js';
import { LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Call, Verb, Verbs } from '../verb.js';

const projectShape = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  remotes: z.array(z.string()),
  archivedAt: z.string().nullable(),
  createdAt: z.string(),
});

const COLUMNS: readonly Column<z.output<typeof projectShape>>[] = [
  { heading: 'project', cell: ({ slug }) => slug },
  { heading: 'name', cell: ({ name }) => name },
  { heading: 'since', cell: ({ createdAt }) => minuteText(createdAt) },
  { heading: 'archived', cell: ({ archivedAt }) => minuteText(archivedAt) },
  { heading: 'remotes', cell: ({ remotes }) => remotes.join(', ') },
];

const changed = async (
  call: Call,
  operation: { query: string; field: string; done: string },
  more: Record<string, unknown> = {},
): Promise<void> => {
  const variables = { project: call.args[0], ...more };
  const project = await call.asker.ask(operation.query, variables, operation.field, projectShape, true);
  const remotes = project.remotes.length === 0 ? 'no remotes' : project.remotes.map(named).join(', ');
  showDone(call, operation.done, `project ${named(project.slug)} (${named(project.name)}; ${remotes}).`, project);
};

const update = (call: Call): Promise<void> => {
  const { name, slug, review } = call.options;
  const reviewRequired = review === undefined ? undefined : wordOption('--review', review, ['on', 'off']) === 'ON';
  const input = given({ name, slug, reviewRequired });
  if (Object.keys(input).length === 0) {
    throw new AppError('invalid-input', 'no-change', 'Nothing to change: say --name, --slug or --review.');
  }
  return changed(call, { query: UPDATE_PROJECT, field: 'updateProject', done: 'Changed' }, { input });
};

const remoteVerb = (verb: 'add-remote' | 'remove-remote', query: string, field: string): Verb => ({
  args: '<project> <url>',
  summary: verb === 'add-remote' ? 'give a project one more git remote' : 'take a git remote from a project',
  examples: [`projects ${verb} web-shop git@git.example.com:acme/web-shop.git`],
  run: (call) => changed(call, { query, field, done: 'Changed' }, { remote: call.args[1] }),
});

/** `tempera admin projects` */
export const PROJECT_VERBS: Verbs = {
  list: {
    summary: 'list all projects of the tenant',
    options: [['--archived', 'the archived ones instead'], LIMIT_OPTION],
    examples: ['projects list', 'projects list --archived'],
    run: (call) => {
      const variables = { archived: call.options['archived'] === true };
      return showList(
        call,
        { query: ADMIN_PROJECTS, field: 'projects', node: projectShape },
        variables,
        COLUMNS,
        'None.',
      );
    },
  },
  update: {
    args: '<project>',
    summary: 'change the name or the slug of a project, or whether it reviews what is shared into it',
    options: [
      ['--name <name>', 'its new name'],
      ['--slug <slug>', 'its new short name; folders that are bound to the old one run init anew'],
      ['--review <on|off>', 'whether what its contributors share into it waits for a maintainer'],
    ],
    examples: ['projects update web-shop --name "The web shop"'],
    run: update,
  },
  archive: {
    args: '<project>',
    summary: 'archive a project: nothing is captured into it, searches that do not name it pass it by',
    question: ([project]) => `Archive project ${named(project ?? '')}?`,
    examples: ['projects archive web-shop'],
    run: (call) => changed(call, { query: ARCHIVE_PROJECT, field: 'archiveProject', done: 'Archived' }),
  },
  restore: {
    args: '<project>',
    summary: 'take an archived project into use again',
    examples: ['projects restore web-shop'],
    run: (call) => changed(call, { query: RESTORE_PROJECT, field: 'restoreProject', done: 'Restored' }),
  },
  'add-remote': remoteVerb('add-remote', ADD_REMOTE, 'addRemote'),
  'remove-remote': remoteVerb('remove-remote', REMOVE_REMOTE, 'removeRemote'),
};
