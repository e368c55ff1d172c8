import { AppError, neutraliseLine } from '@tempera/client-kit';
import type { FolderIdentity } from '../folder/git-folder.js';
import { askLine } from '../output/prompt.js';
import type { Terminal } from '../output/terminal.js';
import { FolderBindings } from '../state/folder-bindings.js';
import { findWorkplace, serviceClient } from '../workplace.js';
import type { World } from '../world.js';
import { type AddCommand, type Shell, shellOf, withJson } from './command.js';
import { fetchProjects, type KnownProject, projectsOfRemotes } from './projects-of-caller.js';

interface InitOptions {
  readonly project?: string;
  readonly yes?: boolean;
  readonly unbind?: boolean;
  readonly json?: boolean;
}

const noneYet = (): AppError =>
  new AppError('not-found', 'no-projects', 'You are in no project yet.', {
    details: { fix: 'An admin creates one with createProject, or adds you to one with addMember.' },
  });

const bySlug = (slug: string, projects: readonly KnownProject[]): KnownProject => {
  const project = projects.find((candidate) => candidate.slug === slug);
  if (project !== undefined) return project;
  const known = projects.map((candidate) => candidate.slug).join(', ');
  throw new AppError(
    'not-found',
    'no-such-project',
    `There is no project ${neutraliseLine(slug, 100)} that you are in.`,
    {
      details: { fix: known === '' ? 'You are in no project yet.' : `Yours are: ${neutraliseLine(known, 400)}.` },
    },
  );
};

const isYes = (answer: string): boolean => /^(?:|y|yes)$/i.test(answer.trim());

const listed = (projects: readonly KnownProject[], terminal: Terminal): string =>
  projects
    .map(({ slug, name }) => `  ${terminal.paint('bold', neutraliseLine(slug, 100))}  ${neutraliseLine(name, 100)}`)
    .join('\n');

const askPerson = async (
  folder: FolderIdentity,
  projects: readonly KnownProject[],
  shell: Shell,
): Promise<KnownProject> => {
  const { world, terminal } = shell;
  const proposals = projectsOfRemotes(projects, folder.remotes);
  const [only] = proposals;
  if (only !== undefined && proposals.length === 1) {
    const answer = await askLine(world, `Bind ${folder.root} to project ${neutraliseLine(only.slug, 100)}? [Y/n] `);
    if (isYes(answer)) return only;
  } else if (folder.remotes.length > 0) {
    terminal.note(
      `${proposals.length === 0 ? 'No project has' : 'Several projects have'} the remote ${folder.remotes.join(', ')}.`,
    );
  }
  terminal.note(`Your projects:\n${listed(proposals.length > 1 ? proposals : projects, terminal)}`);
  return bySlug((await askLine(world, 'Project to bind (its slug): ')).trim(), projects);
};

const choose = async (
  options: InitOptions,
  folder: FolderIdentity,
  projects: readonly KnownProject[],
  shell: Shell,
): Promise<KnownProject> => {
  if (options.project !== undefined) return bySlug(options.project, projects);
  if (projects.length === 0) throw noneYet();
  const proposals = projectsOfRemotes(projects, folder.remotes);
  const [only] = proposals;
  if (options.yes === true && only !== undefined && proposals.length === 1) return only;
  if (options.yes === true || shell.world.stdin.isTTY !== true) {
    const found = proposals.map(({ slug }) => slug).join(', ');
    throw new AppError(
      'invalid-input',
      'project-unclear',
      found === '' ? 'No project has a remote of this folder.' : `It could be ${found}.`,
      {
        details: { fix: 'Say `tempera init --project SLUG --yes`.' },
      },
    );
  }
  return askPerson(folder, projects, shell);
};

/** A person who names a project is asked once more, unless `--yes` says that it is meant. */
const confirm = async (
  options: InitOptions,
  folder: FolderIdentity,
  project: KnownProject,
  world: World,
): Promise<void> => {
  if (options.yes === true || options.project === undefined) return;
  const fix = { details: { fix: 'Say --yes in a script.' } };
  if (world.stdin.isTTY !== true)
    throw new AppError('invalid-input', 'unconfirmed', 'Binding a folder needs a yes.', fix);
  const answer = await askLine(world, `Bind ${folder.root} to project ${neutraliseLine(project.slug, 100)}? [Y/n] `);
  if (!isYes(answer)) throw new AppError('invalid-input', 'cancelled', 'Nothing was bound.', fix);
};

const bindFolder = async (options: InitOptions, world: World): Promise<void> => {
  const shell = shellOf(world, { ...options });
  const workplace = await findWorkplace(world);
  const { folder, loginKey } = workplace;
  const bindings = new FolderBindings(world);
  if (options.unbind === true) {
    const wasBound = await bindings.unbind(folder);
    shell.terminal.result([`${folder.root} is bound to no project${wasBound ? ' any more' : ''}.`], {
      folder: folder.root,
      project: null,
    });
    return;
  }
  const client = serviceClient(workplace, world);
  const project = await choose(options, folder, await fetchProjects(client), shell);
  await confirm(options, folder, project, world);
  await bindings.bind(folder, { login: loginKey ?? '', project: project.slug, boundAt: world.now().toISOString() });
  const lines = [
    `${shell.terminal.paint('green', 'Bound')} ${folder.root} to project ${neutraliseLine(project.slug, 100)}${folder.isRepository ? ', with its worktrees and sub-folders' : ''}.`,
    ...(project.myRole === 'READER' ? ['You are a reader there: what you capture stays private.'] : []),
    `Next: claude mcp add tempera -- ${world.invocation} serve`,
  ];
  shell.terminal.result(lines, { folder: folder.root, project: project.slug, remotes: folder.remotes });
};

/** `tempera init` */
export const addInit: AddCommand = (program, world) => {
  withJson(program.command('init'))
    .summary('bind this folder to a project')
    .description(
      'Binds this repository (with its worktrees and sub-folders) or folder to a project, once. Proposes the project with its git remote, and asks. Writes nothing into the folder.',
    )
    .option('--project <slug>', 'the project to bind')
    .option('--yes', 'do not ask')
    .option('--unbind', 'remove the binding')
    .addHelpText(
      'after',
      '\nExamples:\n  tempera init\n  tempera init --project web-shop --yes\n  tempera init --unbind',
    )
    .action((options: InitOptions) => bindFolder(options, world));
};
