import { AppError, neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { PROFILE, REFRESH_PROFILE } from '../graphql/memory-operations.js';
import { minuteText } from '../output/table.js';
import { findWorkplace } from '../workplace.js';
import type { AddCommand } from './command.js';
import { named } from './lists.js';
import { addVerb, type Call } from './verb.js';

const profileShape = z.object({
  project: z.string().nullable(),
  refreshedAt: z.string().nullable(),
  lines: z.array(
    z.object({
      part: z.string(),
      text: z.string(),
      ageDays: z.number(),
      memory: z.object({ id: z.string(), kind: z.string() }),
    }),
  ),
});
type Profile = z.output<typeof profileShape>;

/** The caller's own, that of the project which is named, or with a bare `--project` that of the folder's. */
const projectOf = async ({ options, world }: Call): Promise<string | null> => {
  const { project } = options;
  if (typeof project === 'string') return project;
  if (project !== true) return null;
  const bound = (await findWorkplace(world)).binding?.project ?? null;
  if (bound !== null) return bound;
  throw new AppError('invalid-input', 'no-project', 'This folder is bound to no project: say --project <slug>.');
};

const HEADINGS: Readonly<Record<string, string>> = {
  PINNED: 'Pinned',
  PREFERENCE: 'Preferences',
  CORRECTION: 'Corrections',
  DECISION: 'Decisions',
  BACKGROUND: 'Background',
  HELPED: 'What helped others',
};

const ageText = (days: number): string => (days === 0 ? 'today' : days === 1 ? '1 day' : `${days} days`);

const linesOf = ({ project, refreshedAt, lines }: Profile, command: string): string[] => {
  const whose = project === null ? 'Your own profile' : `The profile of ${named(project)}`;
  if (refreshedAt === null) return [`${whose} was not chosen yet. To choose it: \`${command} --refresh\``];
  const told = lines.map(({ part, text, ageDays, memory }, place) => [
    ...(lines[place - 1]?.part === part ? [] : [`${HEADINGS[part] ?? named(part.toLowerCase())}:`]),
    `  ${memory.id.slice(0, 8)} (${ageText(ageDays)}) ${neutraliseLine(text, 300)}`,
  ]);
  const none = lines.length === 0 ? ['Nothing worth telling yet.'] : [];
  return [`${whose}, chosen ${minuteText(refreshedAt) ?? ''}`, ...none, ...told.flat()];
};

const profile = async (call: Call): Promise<void> => {
  const project = await projectOf(call);
  const isNew = call.options['refresh'] === true;
  const [document, field] = isNew ? [REFRESH_PROFILE, 'refreshProfile'] : [PROFILE, 'profile'];
  const found = await call.asker.ask(document, { project }, field, profileShape, true);
  const command = project === null ? 'tempera profile' : `tempera profile --project ${named(project)}`;
  call.terminal.result(linesOf(found, command), found);
};

/** `tempera profile` */
export const addProfile: AddCommand = (program, world) => {
  addVerb(
    program,
    'profile',
    {
      summary: 'what is worth knowing about you, or about a project',
      description:
        'Shows what your own memories tell about you, for you alone; or about a project, from what all its members see. Each line with the memory that tells it and how old that is. Nights choose it anew, each quarter as shipped.',
      options: [
        ['--project [slug]', "of a project: the one that is named, or the folder's"],
        ['--refresh', 'choose it anew now'],
      ],
      examples: ['profile', 'profile --refresh', 'profile --project web-shop'],
      run: profile,
    },
    { sender: 'person', root: program.name() },
    world,
  );
};
