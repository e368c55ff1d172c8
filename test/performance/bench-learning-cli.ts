import { parseArgs } from 'node:util';
import { runLearningSet } from './learning/learning-run.js';
import { reportOf, tablesOf } from './learning/learning-report.js';
import { chooseModes, MODES } from './learning/modes.js';
import { openResults } from './learning/results-file.js';
import { METRICS_HELP } from './metrics-help.js';
import { readNeutralSet, recallFiles } from './neutral-sets.js';
import { progressOf } from './show-progress.js';

const HELP = `npm run bench:learning -- --data DIR|FILE… [--json] [--modes a,b] [--sample PAIRS] [--set KEY=VALUE]
                          [--out FILE] [--seed 1]

Replays learning through the built service. Ten simulated users, members of one project, ask what every second query of a set
asks, in five rounds, and vote on the five memories they are shown: helpful if relevant, one vote in ten wrong. The other
queries never vote; they measure. Prints nDCG@5 and R@5 before the first and after each round, with 95 % bootstrap intervals.

--modes   some of those below, as in relevance,context; default all
--sample  so many pairs of neighbouring queries of each set, for a quick look; all memories are captured
--set     a setting over every mode, such as retrieval.context_boost=2; may be repeated
--out     keeps finished modes in a file, and takes up from there

Sets of this form tell no outcomes of work. The mode "credit" makes some: what followed a memory that somebody found helpful, in the session it
was told in, ends in success. A set without dates has no sessions, and no credit.

Modes, each beginning with a clone of the same captured set:
${MODES.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}

${METRICS_HELP}`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const readSettings = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    given.map((one) => {
      const [key, value] = one.split('=');
      if (!key || !value) throw new Error(`--set takes KEY=VALUE, not "${one}".`);
      return [key, value];
    }),
  );

const wholeNumber = (name: string, text: string, least: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name} is a whole number from ${least}.`);
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      modes: { type: 'string' },
      sample: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      out: { type: 'string' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  const paths = [...(values.data ?? []), ...positionals];
  if (paths.length === 0) throw new Error(`Name the sets with --data.\n\n${HELP}`);
  const conditions = {
    seed: wholeNumber('seed', values.seed, 0),
    sample: values.sample === undefined ? null : wholeNumber('sample', values.sample, 1),
    settings: readSettings(values.set),
  };
  const modes = chooseModes(values.modes);
  const sets = await Promise.all((await recallFiles(paths)).map(readNeutralSet));
  const file = await openResults(values.out, conditions);
  for (const set of sets) await runLearningSet(set, modes, conditions, file, progressOf(set.name));
  const results = sets.flatMap((set) => modes.flatMap((mode) => file.find(set.name, mode.name) ?? []));
  const reports = reportOf(results, conditions.seed);
  print(values.json ? JSON.stringify({ bench: 'learning', ...conditions, sets: reports }) : tablesOf(reports));
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
