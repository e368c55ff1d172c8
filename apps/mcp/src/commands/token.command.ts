import type { Command } from 'commander';
import { neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { ISSUE_TOKEN, LIST_TOKENS, REVOKE_TOKEN } from '../graphql/team-operations.js';
import { confirm } from '../output/confirm.js';
import { type Column, minuteText } from '../output/table.js';
import { askerOfFolder } from '../workplace.js';
import type { World } from '../world.js';
import { type AddCommand, given, listOption, shellOf, wholeOption, withJson, wordOption } from './command.js';
import { knownId, TOKENS } from './known-id.js';
import { fetchList, printList, readLimit } from './pages.js';

const SCOPES = ['read', 'write', 'admin'];

type Options = Readonly<Record<string, unknown>>;

const issuedShape = z.object({
  secret: z.string(),
  token: z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()), expiresAt: z.string() }),
});
const tokenShape = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  expiresAt: z.string(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  user: z.object({ displayName: z.string() }),
});
type Token = z.output<typeof tokenShape>;

const COLUMNS: readonly Column<Token>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'name', cell: ({ name }) => name },
  { heading: 'of', cell: ({ user }) => user.displayName },
  { heading: 'may', cell: ({ scopes }) => scopes.map((scope) => scope.toLowerCase()).join(', ') },
  { heading: 'last used', cell: ({ lastUsedAt }) => minuteText(lastUsedAt) },
  {
    heading: 'until',
    cell: ({ revokedAt, expiresAt }) =>
      revokedAt === null ? minuteText(expiresAt) : `revoked ${minuteText(revokedAt) ?? ''}`,
  },
];

const create = async (name: string, options: Options, world: World): Promise<void> => {
  const { terminal } = shellOf(world, options);
  const input = given({
    name,
    scopes: listOption(options['scope'])?.map((scope) => wordOption('--scope', scope, SCOPES)),
    expiresInDays: wholeOption('days', options['days']),
  });
  const issued = await (await askerOfFolder(world)).ask(ISSUE_TOKEN, { input }, 'issueToken', issuedShape, false);
  const { secret, token } = issued;
  const may = token.scopes.map((scope) => scope.toLowerCase()).join(', ');
  terminal.result(
    [
      `${terminal.paint('green', 'Issued')} token ${neutraliseLine(token.name, 80)} (${may}), shown only now, good until ${minuteText(token.expiresAt) ?? ''}:`,
      `  ${terminal.paint('bold', secret)}`,
      'A machine pipes it into `tempera login`; keep it where secrets are kept.',
    ],
    issued,
  );
};

const addCreate = (token: Command, world: World): void => {
  withJson(token.command('create'))
    .summary('issue a token for a machine')
    .description('Issues a personal access token for a machine of yours. It is shown once and can do no more than you.')
    .argument('<name>', 'what it is for, shown in lists')
    .option('--scope <a,b>', 'what it may do: read, write, admin (default read,write)')
    .option('--days <n>', 'how long it lives, at most 90 (default 30)')
    .addHelpText('after', '\nExamples:\n  tempera token create "nightly build" --scope read --days 90')
    .action((name: string, options: Options) => create(name, options, world));
};

const addRevoke = (token: Command, world: World): void => {
  withJson(token.command('revoke'))
    .summary('take a token back, for good')
    .description('Takes a token back: within seconds it opens nothing any more.')
    .argument('<id>', 'as tempera token list shows it: 8 characters or the whole id')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  tempera token revoke 0192f0c4-0000-4000-8000-000000000001')
    .action(async (word: string, options: Options) => {
      const { terminal } = shellOf(world, options);
      const asker = await askerOfFolder(world);
      const id = await knownId(asker, TOKENS, word);
      await confirm(`Revoke token ${neutraliseLine(id, 60)} for good?`, 'destroy', options['yes'] === true, world);
      const shape = z.object({ id: z.string(), name: z.string(), revokedAt: z.string().nullable() });
      const revoked = await asker.ask(REVOKE_TOKEN, { id }, 'revokeToken', shape, true);
      terminal.result([`${terminal.paint('green', 'Revoked')} token ${neutraliseLine(revoked.name, 80)}.`], revoked);
    });
};

/** `tempera token` */
export const addToken: AddCommand = (program, world) => {
  const token = program
    .command('token')
    .summary('tokens for machines')
    .description('Personal access tokens, for machines that work in your name.');
  addCreate(token, world);
  withJson(token.command('list'))
    .summary('your tokens')
    .description('Lists your tokens; an admin sees all of the tenant. Never the secrets.')
    .option('--limit <n>', 'how many (default 20)')
    .addHelpText('after', '\nExamples:\n  tempera token list')
    .action(async (options: Options) => {
      const listing = { query: LIST_TOKENS, field: 'tokens', node: tokenShape };
      const listed = await fetchList(await askerOfFolder(world), listing, {}, readLimit(options['limit']));
      printList(shellOf(world, options).terminal, listed, COLUMNS, 'No tokens.');
    });
  addRevoke(token, world);
};
