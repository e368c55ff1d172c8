import { neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { END_SESSION, LIST_SESSIONS } from '../graphql/team-operations.js';
import { confirm } from '../output/confirm.js';
import { type Column, minuteText } from '../output/table.js';
import { askerOfFolder } from '../workplace.js';
import { type AddCommand, given, shellOf, withJson } from './command.js';
import { knownId, knownIdOption, PEOPLE, sessionsOf } from './known-id.js';
import { fetchList, printList, readLimit } from './pages.js';

type Options = Readonly<Record<string, unknown>>;

const sessionShape = z.object({
  id: z.string(),
  client: z.string(),
  kind: z.string(),
  current: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().nullable(),
  ended: z.string().nullable(),
  user: z.object({ displayName: z.string() }),
});

const COLUMNS: readonly Column<z.output<typeof sessionShape>>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'of', cell: ({ user }) => user.displayName },
  { heading: 'device', cell: ({ client, current }) => `${client || '-'}${current ? ' (this one)' : ''}` },
  { heading: 'kind', cell: ({ kind }) => kind.toLowerCase() },
  { heading: 'since', cell: ({ createdAt }) => minuteText(createdAt) },
  { heading: 'last used', cell: ({ lastUsedAt }) => minuteText(lastUsedAt) },
  {
    heading: 'state',
    cell: ({ endedAt, ended }) => (endedAt === null ? 'alive' : `${ended ?? 'ended'} ${minuteText(endedAt) ?? ''}`),
  },
];

/** `tempera sessions` */
export const addSessions: AddCommand = (program, world) => {
  const sessions = program
    .command('sessions')
    .summary('where you are logged in')
    .description('Logins, yours or with --user those of a person of your tenant (owner, admin).');
  withJson(sessions.command('list'))
    .summary('list logins')
    .description('Lists your logins, newest first, those of your tokens too.')
    .option('--user <id>', "another person's (owner, admin)")
    .option('--limit <n>', 'how many (default 20)')
    .addHelpText('after', '\nExamples:\n  tempera sessions list')
    .action(async (options: Options) => {
      const listing = { query: LIST_SESSIONS, field: 'sessions', node: sessionShape };
      const asker = await askerOfFolder(world);
      const variables = given({ userId: await knownIdOption(asker, PEOPLE, options['user']) });
      const listed = await fetchList(asker, listing, variables, readLimit(options['limit']));
      printList(shellOf(world, options).terminal, listed, COLUMNS, 'No sessions.');
    });
  withJson(sessions.command('end'))
    .summary('end a login from afar')
    .description('Ends a login of yours, or of anyone in the tenant (owner, admin), within five seconds.')
    .argument('<id>', 'as tempera sessions list shows it: 8 characters or the whole id')
    .option('--user <id>', "whose it is, where 8 characters name another person's (owner, admin)")
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  tempera sessions end 0192f0c4-0000-4000-8000-000000000001')
    .action(async (word: string, options: Options) => {
      const { terminal } = shellOf(world, options);
      const asker = await askerOfFolder(world);
      const userId = await knownIdOption(asker, PEOPLE, options['user']);
      const id = await knownId(asker, sessionsOf(userId), word);
      await confirm(`End session ${neutraliseLine(id, 60)}?`, 'destroy', options['yes'] === true, world);
      const shape = z.object({ id: z.string(), client: z.string(), endedAt: z.string().nullable() });
      const ended = await asker.ask(END_SESSION, { id }, 'endSession', shape, true);
      terminal.result([`${terminal.paint('green', 'Ended')} ${neutraliseLine(ended.client || ended.id, 80)}.`], ended);
    });
};
