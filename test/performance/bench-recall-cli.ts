import { parseArgs } from 'node:util';
import { startInstance } from '../support/instance.js';
import { METRICS_HELP } from './metrics-help.js';
import { readNeutralSet, recallFiles } from './neutral-sets.js';
import { progressOf } from './show-progress.js';
import { runRecallSet, type RecallReport } from './recall-run.js';
import { recallTable } from './recall-table.js';

const HELP = `npm run bench:recall -- --data DIR|FILE… [--compare] [--json] [--merge] [--limit 10]

Measures retrieval on neutral recall sets through the built service: each set is captured into a tenant of its own
(one table, merging off unless --merge) and every query is asked through GraphQL.

  --data DIR|FILE   a set {name, language, memories, queries} or a folder of them; may be repeated
  --compare         each set by vectors alone, by words alone, by both fused, and by the full ranking, 50 hits an answer
  --merge           captures may merge with what they repeat
  --limit N         hits an answer, 5 to 50 (without --compare)
  --json            one object instead of a table

Prints R@5, R@10, hit@5, MRR and nDCG@5 with 95 % bootstrap intervals over the queries (seeded: the same answers give the
same intervals), captures a second until everything is embedded, and the times of whole requests, which are for orientation
only. Progress goes to stderr.

Columns of --compare:
  vector      by the nearness of meaning alone
  words       by the words in common alone (BM25)
  fused       by both, what a memory is by itself
  full        as people ask: also in the light of the session it stands in

${METRICS_HELP}`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      merge: { type: 'boolean', default: false },
      compare: { type: 'boolean', default: false },
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
        await runRecallSet(instance.operator, set, {
          merge: values.merge,
          compare: values.compare,
          limit,
          progress: progressOf(set.name),
        }),
      );
    }
    print(values.json ? JSON.stringify({ bench: 'recall', merge: values.merge, sets: reports }) : recallTable(reports));
  } finally {
    await instance.close();
  }
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
