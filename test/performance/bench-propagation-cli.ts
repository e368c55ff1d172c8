import { parseArgs } from 'node:util';
import { table } from './load/load-table.js';
import { type Propagation, runPropagation } from './load/propagation-run.js';

const HELP = `npm run bench:propagation -- [--memories 10000,100000] [--pairs-up-to 10000] [--words 20] [--json]

How long it takes until what proved useful has lent to what is near: a night's propagation of one tenant with the database
(the worker's own steps, page by page), and one vote's effect, beside a comparison of every memory with every other.

  --memories A,B     sizes of the tenant
  --pairs-up-to N    up to this size all pairs are compared too; 0 for never
  --words N          words of each list that texts are made of, 2 to 20
  --json             one array instead of a table

Progress goes to stderr.`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const wholeNumber = (name: string, text: string, least: number, most: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} takes whole numbers from ${least} to ${most}, not "${text}".`);
};

const tableOf = (results: readonly Propagation[]): string =>
  table(
    [
      'memories',
      'links',
      'borrowers',
      'propagation s',
      'snapshot s',
      'a vote p50 ms',
      'p95 ms',
      'all pairs s',
      'dot products',
      'load',
    ],
    results.map(({ memories, links, borrowers, propagateSeconds, snapshotSeconds, vote, allPairs, loadAverage }) => [
      ...[memories, links, borrowers, propagateSeconds, snapshotSeconds, vote.p50, vote.p95],
      ...[allPairs?.seconds ?? '–', allPairs?.dotProducts ?? '–', loadAverage],
    ]),
  );

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      memories: { type: 'string', default: '10000,100000' },
      'pairs-up-to': { type: 'string', default: '10000' },
      words: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  const results = await runPropagation({
    sizes: values.memories.split(',').map((size) => wholeNumber('memories', size, 10, 1_000_000)),
    pairsUpTo: wholeNumber('pairs-up-to', values['pairs-up-to'], 0, 1_000_000),
    words: wholeNumber('words', values.words, 2, 20),
  });
  print(values.json ? JSON.stringify(results) : tableOf(results));
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
