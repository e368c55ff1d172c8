import { neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { CONVERSATION_IDS, DISTIL_NOW, LIST_CONVERSATIONS } from '../graphql/conversation-operations.js';
import { type Column, minuteText } from '../output/table.js';
import { askerOfFolder } from '../workplace.js';
import { type AddCommand, shellOf, withJson } from './command.js';
import { type IdList, knownId } from './known-id.js';
import { fetchList, printList, readLimit } from './pages.js';

type Options = Readonly<Record<string, unknown>>;

const CONVERSATIONS: IdList = { query: CONVERSATION_IDS, field: 'conversations', variables: [{}] };

const conversationShape = z.object({
  id: z.string(),
  project: z.string().nullable(),
  client: z.string(),
  lastTurnAt: z.string(),
  turns: z.number(),
  state: z.string(),
  summary: z.string().nullable(),
  kept: z.number(),
  refused: z.array(z.object({ reason: z.string(), count: z.number() })),
  facts: z.array(
    z.object({
      kind: z.string(),
      content: z.string(),
      evidence: z.string().nullable(),
      status: z.string(),
      reason: z.string().nullable(),
      memoryId: z.string().nullable(),
    }),
  ),
});
type Conversation = z.output<typeof conversationShape>;

const COLUMNS: readonly Column<Conversation>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'project', cell: ({ project }) => project ?? '-' },
  { heading: 'last turn', cell: ({ lastTurnAt }) => minuteText(lastTurnAt) },
  { heading: 'turns', cell: ({ turns }) => String(turns) },
  { heading: 'state', cell: ({ state }) => state.toLowerCase() },
  { heading: 'kept', cell: ({ kept }) => String(kept) },
  { heading: 'refused', cell: ({ refused }) => String(refused.reduce((sum, { count }) => sum + count, 0)) },
  { heading: 'summary', cell: ({ summary }) => neutraliseLine(summary ?? '-', 80) },
];

/** `tempera conversations` */
export const addConversations: AddCommand = (program, world) => {
  withJson(program.command('conversations'))
    .summary('your conversations, and what was learned in them')
    .description(
      'Lists your conversations with clients, the latest first; --json tells each fact, and of those that were refused why.',
    )
    .option('--limit <n>', 'how many (default 20)')
    .addHelpText('after', '\nExamples:\n  tempera conversations --json')
    .action(async (options: Options) => {
      const listing = { query: LIST_CONVERSATIONS, field: 'conversations', node: conversationShape };
      const listed = await fetchList(await askerOfFolder(world), listing, {}, readLimit(options['limit']));
      printList(shellOf(world, options).terminal, listed, COLUMNS, 'No conversations.');
    });
};

/** `tempera distil` */
export const addDistil: AddCommand = (program, world) => {
  withJson(program.command('distil'))
    .summary('draw from a conversation now')
    .description('Has one of your conversations distilled at once, not only when it has been quiet for a while.')
    .argument('<id>', 'as tempera conversations shows it: 8 characters or the whole id')
    .addHelpText('after', '\nExamples:\n  tempera distil 0192f0c4')
    .action(async (word: string, options: Options) => {
      const { terminal } = shellOf(world, options);
      const asker = await askerOfFolder(world);
      const id = await knownId(asker, CONVERSATIONS, word);
      const asked = await asker.ask(DISTIL_NOW, { id }, 'distilNow', conversationShape, true);
      const told = `${asked.turns} turns; tempera conversations shows what comes of them.`;
      terminal.result([`${terminal.paint('green', 'Asked for')} ${told}`], asked);
    });
};
