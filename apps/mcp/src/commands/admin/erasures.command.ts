import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { ERASE_USER, LIST_ERASURES, SHOW_ERASURE } from '../../graphql/admin-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { given, wordOption } from '../command.js';
import { ERASURES, EVERYONE, knownIdOption, PEOPLE } from '../known-id.js';
import { factLines, LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Call, Verb, Verbs } from '../verb.js';

const rowsShape = z.array(z.object({ what: z.string(), rows: z.number() }));

const erasureShape = z.object({
  id: z.string(),
  userId: z.string(),
  requestedBy: z.string(),
  sharedMemories: z.string(),
  transferTo: z.string().nullable(),
  status: z.string(),
  counts: rowsShape,
  memorySum: z.string(),
  searchedColumns: z.number(),
  traces: rowsShape,
  mentions: rowsShape,
  requestedAt: z.string(),
  finishedAt: z.string().nullable(),
});
type Erasure = z.output<typeof erasureShape>;

const FATES = ['keep', 'transfer', 'erase'];

const total = (rows: Erasure['counts']): number => rows.reduce((sum, row) => sum + row.rows, 0);

const COLUMNS: readonly Column<Erasure>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'person', cell: ({ userId }) => userId },
  { heading: 'asked', cell: ({ requestedAt }) => minuteText(requestedAt) },
  { heading: 'status', cell: ({ status }) => status.toLowerCase() },
  { heading: 'rows', cell: ({ counts }) => total(counts) },
  { heading: 'traces', cell: ({ traces }) => total(traces) },
];

const erase = async (call: Call): Promise<void> => {
  const { args, asker, options } = call;
  const [userId, confirmName] = args;
  const sharedMemories = wordOption('--memories', options['memories'], FATES);
  if (sharedMemories === undefined) {
    throw new AppError(
      'invalid-input',
      'no-fate',
      'Say what becomes of what they shared: --memories keep, transfer or erase.',
    );
  }
  if ((sharedMemories === 'TRANSFER') !== (typeof options['to'] === 'string')) {
    throw new AppError('invalid-input', 'transfer-to', '--memories transfer and --to ID go together.');
  }
  const transferTo = await knownIdOption(asker, PEOPLE, options['to']);
  const input = given({ userId, confirmName, sharedMemories, transferTo });
  const erasure = await asker.ask(ERASE_USER, { input }, 'eraseUser', erasureShape, true);
  showDone(call, 'Erasing', `${userId}; the receipt: tempera admin erasures show ${erasure.id}`, erasure);
};

/** `tempera admin users erase` */
export const ERASE_VERB: Verb = {
  args: '<id> <name>',
  ids: { 0: EVERYONE },
  summary: 'erase a person with all that is theirs alone, for good',
  description:
    'Erases a person for good, or yourself. Their name must be given as it is. They are out at once; the worker erases what they kept for themselves, their questions, votes, logins and every mark of them, searches every table for what is left, and writes a receipt. Somebody who was removed before can be erased too, by their whole id.',
  options: [
    [
      '--memories <fate>',
      'of those shared: keep (as of a former member), transfer (to who could have captured them), erase',
    ],
    ['--to <id>', 'with transfer: whose they become'],
  ],
  question: ([, name]) => `Erase ${named(name ?? '')} with all that is theirs, for good?`,
  examples: [
    'users erase 0192f0c4-0000-4000-8000-000000000001 "Mia Member" --memories keep',
    'users erase 0192f0c4-0000-4000-8000-000000000001 "Mia Member" --memories erase',
  ],
  run: erase,
};

const rowLines = (title: string, rows: Erasure['counts']): string[] =>
  rows.length === 0 ? [] : ['', title, ...factLines(rows.map(({ what, rows: count }) => [what, count]))];

const show = async (call: Call): Promise<void> => {
  const erasure = await call.asker.ask(SHOW_ERASURE, { id: call.args[0] }, 'erasure', erasureShape, true);
  const facts = factLines([
    ['erasure', erasure.id],
    ['of', erasure.userId],
    ['asked by', erasure.requestedBy],
    ['asked', minuteText(erasure.requestedAt)],
    ['shared memories', erasure.sharedMemories.toLowerCase()],
    ['status', erasure.status.toLowerCase()],
    ['finished', minuteText(erasure.finishedAt)],
    ['columns searched', erasure.searchedColumns],
    ['traces left', total(erasure.traces)],
    ['checksum of memories', erasure.memorySum],
  ]);
  call.terminal.result(
    [
      ...facts,
      ...rowLines('Rows that went or lost the name:', erasure.counts),
      ...rowLines('Traces that are left:', erasure.traces),
      ...rowLines("Named in others' own words, which stay:", erasure.mentions),
    ],
    erasure,
  );
};

/** `tempera admin erasures` */
export const ERASURE_VERBS: Verbs = {
  list: {
    summary: 'list erasures, latest first',
    options: [LIMIT_OPTION],
    examples: ['erasures list'],
    run: (call) => {
      const listing = { query: LIST_ERASURES, field: 'erasures', node: erasureShape };
      return showList(call, listing, {}, COLUMNS, 'No erasures.');
    },
  },
  show: {
    args: '<id>',
    ids: { 0: ERASURES },
    summary: 'show an erasure, or its receipt',
    examples: ['erasures show 0192f0c4-0000-4000-8000-000000000001'],
    run: show,
  },
};
