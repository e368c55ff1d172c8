import { isAppError, neutraliseLine } from '@tempera/client-kit';
import { otherClients } from '../clients/other-clients.js';
import { topOf } from '../folder/git-folder.js';
import { claudeLine } from '../output/claude-line.js';
import { confirm } from '../output/confirm.js';
import { FolderBindings } from '../state/folder-bindings.js';
import { findWorkplace, serviceClient, workingFolder, type Workplace } from '../workplace.js';
import type { World } from '../world.js';
import { chooseProject } from './choose-project.js';
import { type AddCommand, type Shell, shellOf, withJson } from './command.js';
import { fetchProjects } from './projects-of-caller.js';
import { setUpClient } from './set-up-client.js';

interface InitOptions {
  readonly project?: string;
  readonly yes?: boolean;
  readonly unbind?: boolean;
  readonly client?: string;
  readonly marketplace?: string;
  readonly json?: boolean;
}

/** Whoever only looks must not bind a folder anew by one Enter: what it is bound to is said, and nothing asked. */
const saysBinding = ({ folder, binding }: Workplace, options: InitOptions, { terminal }: Shell): boolean => {
  if (binding === null || options.project !== undefined || options.yes === true || options.client !== undefined)
    return false;
  const project = neutraliseLine(binding.project, 100);
  const told = `${folder.root} is bound to project ${project}.`;
  const ways =
    '`tempera init --project SLUG --yes` binds it to another, `tempera init --unbind` to none, `tempera init --client claude` sets up Claude Code.';
  terminal.result([`${told} ${ways}`], { folder: folder.root, project: binding.project, remotes: folder.remotes });
  return true;
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
  if (saysBinding(workplace, options, shell)) return;
  const client = serviceClient(workplace, world);
  const isSure = options.yes === true;
  // Whoever sets up a client in a bound folder does not mean to bind it anew.
  const named = options.project ?? (options.client === undefined ? undefined : workplace.binding?.project);
  const choice = { folder, projects: await fetchProjects(client), named, isSure };
  const project = await chooseProject(choice, client, shell);
  // A person who names a project is asked once more; whoever was proposed one has said yes already.
  const question = `Bind ${folder.root} to project ${neutraliseLine(project.slug, 100)}?`;
  await confirm(question, 'bind', isSure || options.project === undefined, world);
  await bindings.bind(folder, { login: loginKey ?? '', project: project.slug, boundAt: world.now().toISOString() });
  const files = await setUp(options, shell);
  const others = otherClients(world.invocation);
  const lines = [
    `${shell.terminal.paint('green', 'Bound')} ${folder.root} to project ${neutraliseLine(project.slug, 100)}${folder.isRepository ? ', with its worktrees and sub-folders' : ''}.`,
    ...(project.myRole === 'READER' ? ['You are a reader there: what you capture stays private.'] : []),
    ...(files.length === 0
      ? [`Next: ${claudeLine(world.invocation)}`]
      : [`Claude Code has it by ${files.join(', ')}.`]),
    'Other clients:',
    ...others.map(({ client, line }) => `  ${client}: ${line}`),
  ];
  const told = { folder: folder.root, project: project.slug, remotes: folder.remotes, files, clients: others };
  shell.terminal.result(lines, told);
};

/** A file that is left alone, or a wish that is none, must not undo the binding. */
const setUp = async (options: InitOptions, shell: Shell): Promise<string[]> => {
  try {
    return await setUpClient(topOf(workingFolder(shell.world)), options, shell);
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'conflict') throw error;
    shell.terminal.note(error.message);
    return [];
  }
};

/** `tempera init` */
export const addInit: AddCommand = (program, world) => {
  withJson(program.command('init'))
    .summary('bind this folder to a project')
    .description(
      'Binds this repository (with its worktrees and sub-folders) or folder to a project, once. Proposes the project with its git remote, or to create one for it (named after the folder where it has no remote), and asks. Then offers to set the repository up for Claude Code: shows each file that it would write, and writes nothing without a yes.',
    )
    .option('--project <slug>', 'the project to bind')
    .option('--yes', 'do not ask: bind the project with the remote of this folder, create it where there is none')
    .option('--unbind', 'remove the binding')
    .option('--client <client>', 'claude: set this repository up for Claude Code; none: do not offer it')
    .option(
      '--marketplace <source>',
      'where the team gets the plugin: owner/repository or a git address, written into the shared settings',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  tempera init\n  tempera init --project web-shop --yes\n  tempera init --client claude --marketplace acme/tempera-plugin\n  tempera init --unbind',
    )
    .action((options: InitOptions) => bindFolder(options, world));
};
