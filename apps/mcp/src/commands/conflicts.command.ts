import { AppError, type AnswerPart, makeEnvelope, neutralise, neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { CONFLICTS, RESOLVE_CONFLICT } from '../graphql/memory-operations.js';
import { minuteText } from '../output/table.js';
import { type AddCommand, given } from './command.js';
import { LIMIT_OPTION, named, showDone } from './lists.js';
import { fetchList, readLimit } from './pages.js';
import { addVerb, type Call, type Verbs } from './verb.js';

const side = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  createdAt: z.string(),
  author: z.object({ displayName: z.string() }),
});
const conflictShape = z.object({
  first: side,
  second: side,
  similarity: z.number(),
  differences: z.array(z.string()),
  foundAt: z.string(),
  resolution: z.string().nullable(),
  reason: z.string().nullable(),
  runId: z.string().nullable(),
});
type Conflict = z.output<typeof conflictShape>;

const idOf = ({ id }: z.output<typeof side>): string => id.slice(0, 8);

/** Both texts, each signed: whoever decides reads them beside each other. */
const textOf = ({ first, second, differences }: Conflict): string =>
  [first, second]
    .map((one) => `${idOf(one)}, ${one.author.displayName}, ${minuteText(one.createdAt) ?? ''}:\n${one.text}`)
    .concat(`Differ in: ${differences.join('; ')}`)
    .join('\n');

/** Stored text is anyone's: behind a pipe it stands in an envelope, like every recalled memory. */
const partsOf = (conflicts: readonly Conflict[], randomHex: () => string): AnswerPart[] => {
  const texts = conflicts.map(textOf);
  const envelope = makeEnvelope(randomHex, texts);
  return conflicts.map((conflict, index) => {
    const label = { id: `${idOf(conflict.first)} ${idOf(conflict.second)}` };
    const text = texts[index] ?? '';
    const heading = `${label.id} · ${Math.round(100 * conflict.similarity)} % similar · ${minuteText(conflict.foundAt) ?? ''}`;
    return { type: 'memory', heading, label, text: neutralise(text), wrapped: envelope.wrap(label, text) };
  });
};

const list = async ({ asker, terminal, options, world }: Call): Promise<void> => {
  const listing = { query: CONFLICTS, field: 'conflicts', node: conflictShape };
  const variables = given({ project: options['project'] });
  const { nodes, hasMore } = await fetchList(asker, listing, variables, readLimit(options['limit']));
  const none = { type: 'text', text: 'No open conflicts that you can see.' } as const;
  const more = hasMore ? [{ type: 'text', text: 'There are more: say --limit N.' } as const] : [];
  const parts = nodes.length === 0 ? [none] : [...partsOf(nodes, () => world.randomHex()), ...more];
  terminal.answer({ parts, structured: { nodes, hasMore } });
};

const KEEPS: Readonly<Record<string, string>> = {
  both: 'KEEP_BOTH',
  first: 'KEEP_FIRST',
  second: 'KEEP_SECOND',
  merge: 'MERGE',
};

const resolutionOf = ({ options }: Call): string => {
  if (options['reopen'] === true) return 'REOPEN';
  const keep = String(options['keep'] ?? '');
  const resolution = Object.hasOwn(KEEPS, keep) ? KEEPS[keep] : undefined;
  if (resolution === undefined) {
    throw new AppError('invalid-input', 'keep', 'Say --keep first, second, both or merge, or --reopen.');
  }
  return resolution;
};

const TOLD: Readonly<Record<string, string>> = {
  KEEP_BOTH: 'both hold.',
  KEEP_FIRST: 'the first takes the place of the second.',
  KEEP_SECOND: 'the second takes the place of the first.',
  MERGE: 'the two are one.',
  REOPEN: 'both stand, and are a conflict again.',
};

const resolve = async (call: Call): Promise<void> => {
  const [first, second] = call.args;
  const resolution = resolutionOf(call);
  const input = given({ first, second, resolution, text: call.options['text'], reason: call.options['reason'] });
  // The same decision again changes nothing.
  const decided = await call.asker.ask(RESOLVE_CONFLICT, { input }, 'resolveConflict', conflictShape, true);
  const names = `${named(first ?? '')} and ${named(second ?? '')}`;
  const undo = decided.runId === null ? '' : ` To take it back: \`tempera undo ${decided.runId.slice(0, 8)}\``;
  showDone(call, 'Decided:', `${neutraliseLine(names, 200)}: ${TOLD[resolution] ?? ''}${undo}`, decided);
};

const VERBS: Verbs = {
  conflicts: {
    summary: 'memories that contradict each other',
    description: 'Lists memories that contradict each other, of which you see both, with what they differ in.',
    options: [['--project <slug>', 'only where one of them is of this project'], LIMIT_OPTION],
    examples: ['conflicts', 'conflicts --project web-shop'],
    run: list,
  },
  resolve: {
    args: '<first> <second>',
    typedIds: 2,
    summary: 'decide a conflict of two memories',
    description: 'Decides which of two memories holds: by who maintains what they are shared with, or their owner.',
    options: [
      ['--keep <which>', 'first, second, both, or merge: the two become one'],
      ['--text <text>', 'with --keep merge: what they say as one; else the newer text stays'],
      ['--reason <text>', 'why, for whoever finds them'],
      ['--reopen', 'take the decision back'],
    ],
    examples: [
      'resolve a1b2c3d4 b2c3d4e5 --keep second --reason "measured in March"',
      'resolve a1b2c3d4 b2c3d4e5 --reopen',
    ],
    run: resolve,
  },
};

/** `tempera conflicts`, `resolve` */
export const addConflicts: AddCommand = (program, world) => {
  const by = { sender: 'person', root: program.name() } as const;
  for (const [word, verb] of Object.entries(VERBS)) addVerb(program, word, verb, by, world);
};
