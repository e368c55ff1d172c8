import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './programs.js';

/** What a test counted that must be nought: leaks, accepted, lost, doubled. */
export type Found = Readonly<Record<string, number>>;

const knownIn = (file: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(projectRoot, 'test', file), 'utf8')) as Readonly<Record<string, string>>;
const known = { attack: knownIn('attacks.json'), fault: knownIn('faults.json') };

/**
 * Says what an attack of docs/design.md tried and found, in one form: `attack 1.3: 18,320 attempts, 0 leaks (…)`. The
 * runner collects the same line from ATTACK_REPORT_FILE for its closing table.
 * @param found what must be nought, by its name
 * @param note what else is worth knowing: by which path, in what time
 */
export const reportAttack = (number: string, attempts: number, found: Found, note = ''): void =>
  report('attack', { number, attempts, found, note });

/**
 * The same of a fault: `fault 6.1: 50,120 acknowledged writes, 0 lost, 0 doubled (104 kills)`.
 * @param trials how often what the fault threatens was tried
 * @param note what was done to it
 */
export const reportFault = (number: string, trials: number, found: Found, note = ''): void =>
  report('fault', { number, attempts: trials, found, note });

interface Line {
  readonly number: string;
  readonly attempts: number;
  readonly found: Found;
  readonly note: string;
}

const report = (kind: keyof typeof known, line: Line): void => {
  const { number, attempts, found, note } = line;
  if (known[kind][number] === undefined) throw new Error(`test/${kind}s.json knows no ${kind} ${number}`);
  const counts = Object.entries(found).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  const said = [`${attempts.toLocaleString('en')} ${kind === 'attack' ? 'attempts' : 'trials'}`, ...counts].join(', ');
  process.stdout.write(`${kind} ${number}: ${said}${note === '' ? '' : ` (${note})`}\n`);
  const file = process.env['ATTACK_REPORT_FILE'];
  // One short line at a time: suites of several processes write to the file at once.
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
};
