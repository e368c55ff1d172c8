import { parseArgs } from 'node:util';
import { type DistilFigures, runDistil } from './distil-run.js';
import { readSets } from './distil-sets.js';
import { table } from './load/load-table.js';

const HELP = `npm run bench:distil -- --data FILE|DIR… [--show 10] [--json]

What the rule-based distiller keeps of conversations and what it refuses, by reason; each set is distilled twice, and the second time
must add nothing.

  --data PATH…     conversation files of Claude Code (.jsonl), team chats (.json), or folders of them
  --show N         so many facts, and as many refused ones, of each set for reading
  --json           one object instead of tables`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const listed = (counts: Readonly<Partial<Record<string, number>>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || '–';

const show = (all: readonly DistilFigures[]): void => {
  print(
    table(
      ['set', 'conversations', 'turns', 'kept', 'refused', 'added by a repeat', 'ms'],
      all.map(({ set, conversations, turns, kept, refused, addedByRepeat, ms }) => [
        ...[set, conversations, turns, kept, refused, addedByRepeat, ms],
      ]),
    ),
  );
  for (const figures of all) {
    print(`\n${figures.set}\n  kept: ${listed(figures.keptByKind)}\n  refused: ${listed(figures.refusedByReason)}`);
    for (const summary of figures.summaries) print(`  summary: ${summary}`);
    for (const { kind, content, expires, outcome, files, errors } of figures.shown) {
      const notes = [
        expires === null ? null : `until ${expires.slice(0, 10)}`,
        outcome,
        files === 0 ? null : `${files} files`,
      ];
      const told = notes.filter((note) => note !== null).join(', ');
      print(`  + ${kind}: ${content.replaceAll('\n', ' / ')}${told === '' ? '' : ` (${told})`}`);
      for (const { error, resolution } of errors) print(`      ${error} → ${resolution}`);
    }
    for (const { kind, content, reason } of figures.refusedShown)
      print(`  - ${reason} (${kind}): ${content.slice(0, 160).replaceAll('\n', ' / ')}`);
  }
};

const main = (): void => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string', multiple: true, default: [] },
      show: { type: 'string', default: '10' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  const paths = [...values.data, ...positionals];
  if (paths.length === 0) throw new Error('--data takes at least one file or folder.');
  const count = Number(values.show);
  if (!Number.isInteger(count) || count < 0 || count > 10_000)
    throw new Error('--show takes a whole number up to 10000.');
  const all = readSets(paths).map((set) => runDistil(set, count));
  return values.json ? print(JSON.stringify({ sets: all }, null, 2)) : show(all);
};

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
