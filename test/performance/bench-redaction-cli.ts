import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from './load/load-table.js';
import { type Hostile, type RedactionFigures, runRedaction, type Share } from './redaction-run.js';

const HELP = `npm run bench:redaction -- [--per-rule 20] [--clean FILE] [--no-hostile] [--json]

What the redaction of secrets catches, what it alters of clean lines, and how long it takes.

  --per-rule N     texts written from each rule's own expression, and of each well-known kind
  --clean FILE     a text file; each line of it should stay as it is
  --no-hostile     leaves out the mebibytes that are made against each rule (a minute)
  --json           one object instead of tables`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const percent = ({ count, of }: Share): string =>
  `${count} of ${of} (${((100 * count) / Math.max(of, 1)).toFixed(3)} %)`;

const slowest = (hostile: readonly Hostile[]): string =>
  table(
    ['text of 1 MiB', 'over 200 ms', 'slowest rule', 'ms', 'secrets in it'],
    [...new Set(hostile.map(({ text }) => text))].map((text) => {
      const all = hostile.filter((one) => one.text === text).sort((a, b) => b.ms - a.ms);
      const over = all.filter(({ ms }) => ms > 200).length;
      return [text, over, all[0]?.rule ?? '–', all[0]?.ms ?? '–', all[0]?.secrets ?? '–'];
    }),
  );

const show = (figures: RedactionFigures): void => {
  print(
    `rules: ${figures.rules}; first call ${figures.firstCallMs} ms, second ${figures.secondCallMs} ms (12 KiB, one token)`,
  );
  print(`caught, written from the rules: ${percent(figures.caught)}`);
  print(`caught, of well-known kinds: ${percent(figures.wellKnown)}`);
  print(
    `missed: ${
      Object.entries(figures.missed)
        .map(([rule, count]) => `${rule} ${count}`)
        .join(', ') || 'none'
    }`,
  );
  if (figures.altered !== null) print(`clean lines altered: ${percent(figures.altered)}`);
  if (figures.hostile.length > 0) print(slowest(figures.hostile));
};

const main = (): void => {
  const { values } = parseArgs({
    options: {
      'per-rule': { type: 'string', default: '20' },
      clean: { type: 'string' },
      'no-hostile': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  const perRule = Number(values['per-rule']);
  if (!Number.isInteger(perRule) || perRule < 1 || perRule > 10_000) {
    throw new Error(`--per-rule takes a whole number from 1 to 10000, not "${values['per-rule']}".`);
  }
  const lines = values.clean === undefined ? null : readFileSync(values.clean, 'utf8').split('\n').filter(Boolean);
  const figures = runRedaction({ perRule, clean: lines, hostile: !values['no-hostile'] });
  return values.json ? print(JSON.stringify(figures, null, 2)) : show(figures);
};

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
