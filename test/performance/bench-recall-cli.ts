import { parseArgs } from 'node:util';
import { startInstance } from '../support/instance.js';
import { readNeutralSet, recallFiles } from './neutral-sets.js';
import { progressOf } from './show-progress.js';
import { runRecallSet, type RecallReport } from './recall-run.js';

const HELP = `npm run bench:recall -- --data DIR|FILE… [--json] [--merge] [--limit 10]

Measures retrieval on neutral recall sets through the built service: each set is captured into a tenant of its own
(one table, merging off unless --merge) and every query is asked through GraphQL. Prints R@5, R@10, hit@5, MRR and
nDCG@5, and the times of whole requests, which are for orientation only.`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const table = (reports: readonly RecallReport[]): string => {
  const share = (value: number): string => value.toFixed(3).padStart(7);
  const head =
    'set                      memories queries     R@5    R@10   hit@5     MRR  nDCG@5  capture s  ask p50 ms';
  const lines = reports.map((one) =>
    [
      one.set.padEnd(24),
      String(one.memories).padStart(8),
      String(one.queries).padStart(8),
      ...[one.recallAt5, one.recallAt10, one.hitAt5, one.reciprocalRank, one.ndcgAt5].map(share),
      (one.captureMs / 1000).toFixed(1).padStart(11),
      one.retrieveMedianMs.toFixed(1).padStart(11),
    ].join(' '),
  );
  return [head, ...lines].join('\n');
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      merge: { type: 'boolean', default: false },
      limit: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  const limit = Number(values.limit);
  const paths = [...(values.data ?? []), ...positionals];
  if (values.help) return print(HELP);
  if (paths.length === 0) throw new Error(`Name the sets with --data.\n\n${HELP}`);
  if (!Number.isInteger(limit) || limit < 5 || limit > 50) throw new Error('--limit is a whole number from 5 to 50.');
  const sets = await Promise.all((await recallFiles(paths)).map(readNeutralSet));
  const instance = await startInstance({ worker: false });
  try {
    const reports: RecallReport[] = [];
    for (const set of sets) {
      reports.push(
        await runRecallSet(instance.operator, set, { merge: values.merge, limit, progress: progressOf(set.name) }),
      );
    }
    print(values.json ? JSON.stringify({ bench: 'recall', merge: values.merge, sets: reports }) : table(reports));
  } finally {
    await instance.close();
  }
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
