import { isAbsolute, join } from 'node:path';
import { AppError, neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { IMPORT_MEMORIES } from '../graphql/transfer-operations.js';
import { Progress } from '../output/progress.js';
import { chooseFormat, FORMATS } from '../transfer/choose-format.js';
import type { ImportItem } from '../transfer/import-item.js';
import { openInput } from '../transfer/import-input.js';
import { type AddCommand, ToolFailed } from './command.js';
import { addVerb, type Call, type Verb } from './verb.js';

/** Of one request: its texts must be read within the time that a request has, and fit into its body. */
const BATCH_ITEMS = 20;
const BATCH_BYTES = 300_000;
/** Refusals and notes that are printed; `--json` has all. */
const TOLD = 20;

const itemShape = z.object({
  sourceId: z.string(),
  status: z.enum(['KEPT', 'MERGED', 'KNOWN', 'REFUSED']),
  memoryId: z.string().nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  notes: z.array(z.string()),
});
type Imported = z.output<typeof itemShape>;
const reportShape = z.object({ items: z.array(itemShape) });

/** Where it goes: as it says itself, or where the options say. */
const placed = (item: ImportItem, { project, isPrivate }: Place): ImportItem => {
  if (isPrivate) return { ...item, memory: { ...item.memory, scope: 'PRIVATE', project: null, group: null } };
  if (project === null) return item;
  return { ...item, memory: { ...item.memory, scope: 'PROJECT', project, group: null } };
};

interface Place {
  readonly project: string | null;
  readonly isPrivate: boolean;
}

const placeOf = ({ options }: Call): Place => {
  const project = typeof options['project'] === 'string' ? options['project'] : null;
  const isPrivate = options['private'] === true;
  if (project === null || !isPrivate) return { project, isPrivate };
  throw new AppError('invalid-input', 'import-place', 'Say --project or --private, not both.');
};

/** What is imported without a word is kept to oneself. */
const withScope = (item: ImportItem): ImportItem =>
  item.memory.scope === undefined ? { ...item, memory: { ...item.memory, scope: 'PRIVATE' } } : item;

const inBatches = (items: readonly ImportItem[]): ImportItem[][] => {
  const batches: ImportItem[][] = [];
  let [batch, bytes]: [ImportItem[], number] = [[], 0];
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (batch.length > 0 && (batch.length >= BATCH_ITEMS || bytes + size > BATCH_BYTES)) {
      batches.push(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(item);
    bytes += size;
  }
  return batch.length === 0 ? batches : [...batches, batch];
};

const sendAll = async (
  call: Call,
  origin: string,
  items: readonly ImportItem[],
  execute: boolean,
): Promise<Imported[]> => {
  const progress = new Progress(call.world, call.terminal.isForPerson, execute ? 'imported' : 'looked at');
  const done: Imported[] = [];
  try {
    for (const batch of inBatches(items)) {
      progress.show(done.length, items.length);
      const input = { origin, items: batch, execute };
      // Sent again it adds nothing: what was imported is known.
      const report = await call.asker.ask(IMPORT_MEMORIES, { input }, 'importMemories', reportShape, true);
      done.push(...report.items);
    }
    return done;
  } finally {
    progress.end();
  }
};

const line = (text: string): string => neutraliseLine(text, 200);

const detailLines = (done: readonly Imported[], skipped: readonly { sourceId: string; reason: string }[]): string[] => {
  const refused = done
    .filter(({ status }) => status === 'REFUSED')
    .map(({ sourceId, message }) => `  refused ${line(sourceId)}: ${line(message ?? '')}`);
  const left = skipped.map(({ sourceId, reason }) => `  left out ${line(sourceId)}: ${line(reason)}`);
  const notes = done.flatMap(({ sourceId, notes: said }) => said.map((note) => `  ${line(sourceId)}: ${line(note)}`));
  const all = [...refused, ...left, ...notes];
  return all.length <= TOLD ? all : [...all.slice(0, TOLD), `  and ${all.length - TOLD} more; --json tells all.`];
};

const run = async (call: Call): Promise<void> => {
  const [given = ''] = call.args;
  const { options, world, terminal } = call;
  const place = placeOf(call);
  const input = await openInput(isAbsolute(given) ? given : join(world.cwd, given));
  const format = await chooseFormat(input, typeof options['from'] === 'string' ? options['from'] : null);
  const { items, skipped } = await format.parse(input);
  const execute = options['execute'] === true;
  const done = await sendAll(
    call,
    format.name,
    items.map((item) => withScope(placed(item, place))),
    execute,
  );
  const count = (status: Imported['status']): number => done.filter((one) => one.status === status).length;
  const counts = { kept: count('KEPT'), merged: count('MERGED'), known: count('KNOWN'), refused: count('REFUSED') };
  const head = execute ? 'Imported from' : 'A dry run of';
  terminal.result(
    [
      `${head} ${format.name}: ${counts.kept} kept, ${counts.merged} merged, ${counts.known} known already, ${counts.refused} refused, ${skipped.length} left out.`,
      ...detailLines(done, skipped),
      ...(execute ? [] : ['Nothing was changed. To do it, say --execute.']),
    ],
    { from: format.name, execute, ...counts, leftOut: skipped, items: done },
  );
  if (counts.refused > 0) throw new ToolFailed('conflict');
};

const IMPORT: Verb = {
  args: '<path>',
  summary: 'take in memories of an export or of another product',
  description: `Takes memories in as your own captures, by the rules of every capture. A dry run without --execute. What was imported before and says the same is left as it is. Reads: ${FORMATS.map(({ name, reads }) => `${name} (${reads})`).join('; ')}.`,
  options: [
    ['--from <product>', 'what it comes from (default: found by itself)'],
    ['--project <slug>', 'share all of it with this project (default: as it says itself, else private)'],
    ['--private', 'keep all of it to yourself'],
    ['--execute', 'do it (else a dry run)'],
  ],
  examples: ['import my-memories', 'import ~/.claude-mem/claude-mem.db --project web-shop --execute'],
  run,
};

/** `tempera import` */
export const addImport: AddCommand = (program, world) =>
  addVerb(program, 'import', IMPORT, { sender: 'person', root: program.name() }, world);
