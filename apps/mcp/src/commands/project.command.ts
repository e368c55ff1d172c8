import type { Command } from 'commander';
import { AppError, neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { addressOfRemote, identifyFolder } from '../folder/git-folder.js';
import { CREATE_PROJECT, LIST_PROJECTS } from '../graphql/team-operations.js';
import { minuteText } from '../output/table.js';
import { askerOfFolder, workingFolder } from '../workplace.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';
import { type Asker, fetchList, printList, readLimit } from './pages.js';
import type { KnownProject } from './projects-of-caller.js';

const createdShape = z.object({
  slug: z.string(),
  name: z.string(),
  remotes: z.array(z.string()),
  myRole: z.string().nullable(),
});
const listedShape = createdShape.extend({ createdAt: z.string() });

/** Makes a project as its caller wishes. @throws AppError `forbidden` for who is no admin, `conflict` when it is taken */
export const createProject = (
  asker: Asker,
  input: { readonly slug: string; readonly name: string; readonly remotes: readonly string[] },
): Promise<KnownProject> => asker.ask(CREATE_PROJECT, { input }, 'createProject', createdShape, false);

const noRemote = (): AppError =>
  new AppError('invalid-input', 'no-remote', 'This folder has no git remote to give the project.', {
    details: { fix: 'Name one with --remote URL, or leave --remote out.' },
  });

/** `auto` stands for the remotes of this folder. */
const readRemotes = async (named: readonly string[], world: World): Promise<string[]> => {
  const lists = await Promise.all(
    named.map(async (remote) => {
      if (remote !== 'auto') return [remote];
      const { remotes } = await identifyFolder(workingFolder(world));
      if (remotes.length === 0) throw noRemote();
      return remotes.map(addressOfRemote);
    }),
  );
  return [...new Set(lists.flat())];
};

interface CreateOptions {
  readonly name?: string;
  readonly remote?: readonly string[];
  readonly json?: boolean;
}

const create = async (slug: string, options: CreateOptions, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const asker = await askerOfFolder(world);
  const remotes = await readRemotes(options.remote ?? [], world);
  const project = await createProject(asker, { slug, name: options.name ?? slug, remotes });
  const known = neutraliseLine(project.slug, 100);
  const from = project.remotes.length === 0 ? '' : `, with ${neutraliseLine(project.remotes.join(', '), 400)}`;
  terminal.result(
    [
      `${terminal.paint('green', 'Created')} project ${known}${from}. You are its maintainer.`,
      `Next: run \`tempera init --project ${known}\` in its repository, and \`tempera invite NAME --project ${known}\` for a colleague.`,
    ],
    project,
  );
};

const addList = (project: Command, world: World): void => {
  withJson(project.command('list'))
    .summary('your projects')
    .description('Lists the projects that you are in; an admin sees all of the tenant.')
    .option('--limit <n>', 'how many (default 20)')
    .addHelpText('after', '\nExamples:\n  tempera project list')
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const { terminal } = shellOf(world, options);
      const listing = { query: LIST_PROJECTS, field: 'projects', node: listedShape };
      const listed = await fetchList(await askerOfFolder(world), listing, {}, readLimit(options['limit']));
      const columns = [
        { heading: 'project', cell: (row: z.output<typeof listedShape>) => row.slug },
        { heading: 'name', cell: (row: z.output<typeof listedShape>) => row.name },
        { heading: 'your role', cell: (row: z.output<typeof listedShape>) => row.myRole?.toLowerCase() ?? null },
        { heading: 'since', cell: (row: z.output<typeof listedShape>) => minuteText(row.createdAt) },
        { heading: 'remotes', cell: (row: z.output<typeof listedShape>) => row.remotes.join(', ') },
      ];
      printList(terminal, listed, columns, 'You are in no project yet.');
    });
};

/** `tempera project` */
export const addProject: AddCommand = (program, world) => {
  const project = program
    .command('project')
    .summary('list and create projects')
    .description('Lists and creates projects.');
  addList(project, world);
  withJson(project.command('create'))
    .summary('create a project (owner, admin)')
    .description('Creates a project. Its remotes let `tempera init` propose it in the right repositories.')
    .argument('<slug>', 'its short name: a-z, 0-9 and -')
    .option('--name <name>', 'its full name (default: the slug)')
    .option('--remote <url...>', 'git remotes it is found by; auto: those of this folder')
    .addHelpText(
      'after',
      '\nExamples:\n  tempera project create web-shop --name "Web shop" --remote auto\n  tempera project create web-shop --remote git@git.example.com:acme/web-shop.git',
    )
    .action((slug: string, options: CreateOptions) => create(slug, options, world));
};
