import { AppError, neutraliseLine, slugFromRemote } from '@tempera/client-kit';
import { basename } from 'node:path';
import { addressOfRemote, type FolderIdentity } from '../folder/git-folder.js';
import { ME } from '../graphql/operations.js';
import { askLine } from '../output/prompt.js';
import type { Terminal } from '../output/terminal.js';
import type { Shell } from './command.js';
import type { Asker } from './pages.js';
import { createProject } from './project.command.js';
import { type KnownProject, noSuchProject, projectsOfRemotes } from './projects-of-caller.js';
import { meShape } from './whoami.command.js';

/** What is chosen among, and how. */
export interface Choice {
  readonly folder: FolderIdentity;
  readonly projects: readonly KnownProject[];
  /** `--project` */
  readonly named: string | undefined;
  /** `--yes` */
  readonly isSure: boolean;
}

const known = (slug: string): string => neutraliseLine(slug, 100);

const noneYet = (): AppError =>
  new AppError('not-found', 'no-projects', 'You are in no project yet.', {
    details: {
      fix: 'An admin creates one with `tempera project create SLUG`, or adds you to one with `tempera admin members add`.',
    },
  });

const bySlug = (slug: string, projects: readonly KnownProject[]): KnownProject => {
  const project = projects.find((candidate) => candidate.slug === slug);
  if (project === undefined) throw noSuchProject(slug, projects);
  return project;
};

/** Without a terminal nothing can be asked: what could be said instead. @param newSlug what `--yes` would create */
const unclear = (
  { folder, projects }: Choice,
  proposals: readonly KnownProject[],
  newSlug: string | null,
): AppError => {
  const found = proposals.map(({ slug }) => known(slug)).join(', ');
  const remotes = folder.remotes.length === 0 ? 'a remote of this folder' : `the remote ${folder.remotes.join(', ')}`;
  const what = found === '' ? `No project that you are in has ${remotes}.` : `It could be ${found}.`;
  const yours = `\`tempera init --project SLUG --yes\` binds one of yours (${neutraliseLine(projects.map(({ slug }) => slug).join(', '), 400)}).`;
  const ways = [
    ...(newSlug === null
      ? []
      : [
          folder.remotes.length === 0
            ? `\`tempera project create ${known(newSlug)}\` and \`tempera init --project ${known(newSlug)} --yes\` make one for this folder.`
            : `\`tempera init --yes\` creates project ${known(newSlug)} for it and binds this folder.`,
        ]),
    ...(proposals.length === 1 ? ['`tempera init --yes` binds it.'] : []),
    ...(projects.length === 0 ? [] : [yours]),
  ];
  const fix = ways.length === 0 ? noneYet().details['fix'] : ways.join(' ');
  return new AppError('invalid-input', 'project-unclear', what, { details: { fix } });
};

/** By its remote, else by the folder's own name; `null` where neither makes one. */
const slugOf = ({ root, remotes: [remote] }: FolderIdentity): string | null => {
  try {
    return slugFromRemote(addressOfRemote(remote ?? `folder/${basename(root)}`));
  } catch {
    return null;
  }
};

/** The slug to create for this folder; `null` where its name makes none or is taken, or the caller may not. */
const slugToCreate = async ({ folder, projects }: Choice, asker: Asker): Promise<string | null> => {
  const slug = slugOf(folder);
  if (slug === null || projects.some((project) => project.slug === slug)) return null;
  const { user } = await asker.ask(ME, {}, 'me', meShape, true);
  return user.role === 'OWNER' || user.role === 'ADMIN' ? slug : null;
};

const isYes = (answer: string): boolean => /^(?:|y|yes)$/i.test(answer.trim());

const listed = (projects: readonly KnownProject[], terminal: Terminal): string =>
  projects.map(({ slug, name }) => `  ${terminal.paint('bold', known(slug))}  ${neutraliseLine(name, 100)}`).join('\n');

const askPerson = async (
  { folder, projects }: Choice,
  proposals: readonly KnownProject[],
  { world, terminal }: Shell,
): Promise<KnownProject> => {
  const [only] = proposals;
  if (only !== undefined && proposals.length === 1) {
    if (isYes(await askLine(world, `Bind ${folder.root} to project ${known(only.slug)}? [Y/n] `))) return only;
  } else if (folder.remotes.length > 0) {
    const what = proposals.length === 0 ? 'No project has' : 'Several projects have';
    terminal.note(`${what} the remote ${folder.remotes.join(', ')}.`);
  }
  if (projects.length === 0) throw noneYet();
  terminal.note(`Your projects:\n${listed(proposals.length > 1 ? proposals : projects, terminal)}`);
  return bySlug((await askLine(world, 'Project to bind (its slug): ')).trim(), projects);
};

/** A new project for a folder whose remotes no project has; `null` when it is not wanted, or not the caller's to make. */
const offerNew = async (choice: Choice, asker: Asker, { world, terminal }: Shell): Promise<KnownProject | null> => {
  const { folder, isSure } = choice;
  const remotes = folder.remotes.join(', ');
  // A folder's name says little: nothing is made from it unasked.
  if (isSure && remotes === '') return null;
  const slug = await slugToCreate(choice, asker);
  if (slug === null) return null;
  const why = remotes === '' ? `${folder.root} has no git remote.` : `No project has the remote ${remotes}.`;
  if (!isSure && !isYes(await askLine(world, `${why} Create project ${slug} for it? [Y/n] `))) return null;
  const project = await createProject(asker, { slug, name: slug, remotes: folder.remotes.map(addressOfRemote) });
  terminal.note(`Created project ${slug}${remotes === '' ? '' : ` with the remote ${remotes}`}.`);
  return project;
};

/**
 * The project to bind: the one that was named, the one with a remote of the folder, a new one for that remote where the
 * caller may make it, else one of the caller's by asking.
 */
export const chooseProject = async (choice: Choice, asker: Asker, shell: Shell): Promise<KnownProject> => {
  const { folder, projects, named, isSure } = choice;
  if (named !== undefined) return bySlug(named, projects);
  const proposals = projectsOfRemotes(projects, folder.remotes);
  const [only] = proposals;
  if (isSure && only !== undefined && proposals.length === 1) return only;
  const mayAsk = shell.world.stdin.isTTY === true && !isSure;
  const made = only === undefined && (isSure || mayAsk) ? await offerNew(choice, asker, shell) : null;
  if (made !== null) return made;
  if (!mayAsk) throw unclear(choice, proposals, only === undefined ? await slugToCreate(choice, asker) : null);
  return askPerson(choice, proposals, shell);
};
