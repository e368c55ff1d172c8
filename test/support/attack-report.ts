import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './programs.js';

/** What a test counted that must be nought: leaks, accepted, faults. */
export type Found = Readonly<Record<string, number>>;

const known = JSON.parse(readFileSync(join(projectRoot, 'test/attacks.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

/**
 * Says what an attack of docs/design.md tried and found, in one form: `attack 1.3: 18,320 attempts, 0 leaks (…)`. The
 * runner collects the same line from ATTACK_REPORT_FILE for its closing table.
 * @param found what must be nought, by its name
 * @param note what else is worth knowing: by which path, in what time
 */
export const reportAttack = (number: string, attempts: number, found: Found, note = ''): void => {
  if (known[number] === undefined) throw new Error(`test/attacks.json knows no attack ${number}`);
  const counts = Object.entries(found).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  const line = [`${attempts.toLocaleString('en')} attempts`, ...counts].join(', ');
  process.stdout.write(`attack ${number}: ${line}${note === '' ? '' : ` (${note})`}\n`);
  const file = process.env['ATTACK_REPORT_FILE'];
  // One short line at a time: suites of several processes write to the file at once.
  if (file) appendFileSync(file, `${JSON.stringify({ number, attempts, found, note })}\n`);
};
