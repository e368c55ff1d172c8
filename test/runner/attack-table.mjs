// The closing tables of the attacks and of the faults: what each tried, what it found, and whether its tests hold.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../infra/local/json-file.mjs';
import { projectRoot } from '../../infra/local/paths.mjs';

/** How a test is named that stands for an attack of docs/design.md. */
export const ATTACK_NAME = /\battack (\d\.\d+): /;

/** And for a fault; no attack has its number. */
export const FAULT_NAME = /\bfault (\d\.\d+): /;

/** Where tests write what they tried, a line each; named to them as ATTACK_REPORT_FILE. */
export const attackReportFile = join(projectRoot, 'dist', 'test-reports', 'attacks.jsonl');

/** Number to guarantee, in the order of the design. */
export const knownAttacks = () => readJson(join(projectRoot, 'test', 'attacks.json'), {});

export const knownFaults = () => readJson(join(projectRoot, 'test', 'faults.json'), {});

const testFilesBelow = (folder) =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
        .map((entry) => join(entry.parentPath, entry.name));

/** Tests that lie elsewhere than in a folder of their layer's name. */
const FOLDERS = { unit: ['contract'] };

/** Files of a layer that may hold attacks; vitest need not load the others. A name may be made while the test runs. */
export const attackFilesOf = (layer) =>
  (FOLDERS[layer] ?? [layer])
    .flatMap((folder) => testFilesBelow(join(projectRoot, 'test', folder)))
    .filter((file) => /attack (\d\.\d+: |\$\{)/.test(readFileSync(file, 'utf8')));

const linesOf = (file) => {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
};

const resultOf = (tests) => {
  if (tests.some(({ status }) => status === 'failed')) return 'FAILED';
  return tests.some(({ status }) => status === 'passed') ? 'holds' : 'not run';
};

/**
 * One row an attack, or a fault.
 * @param {Record<string, string>} known
 * @param {{number: string, attempts: number, found: Record<string, number>, note?: string}[]} counts
 * @param {{fullName: string, status: string}[]} tests
 * @param {RegExp} name how its tests are named
 */
export const attackRows = (known, counts, tests, name = ATTACK_NAME) =>
  Object.entries(known).map(([number, guarantee]) => {
    const own = counts.filter((count) => count.number === number);
    const found = new Map();
    for (const [what, count] of own.flatMap((one) => Object.entries(one.found))) {
      found.set(what, (found.get(what) ?? 0) + count);
    }
    const named = tests.filter(({ fullName }) => name.exec(fullName)?.[1] === number);
    return {
      number,
      guarantee,
      attempts: own.reduce((sum, { attempts }) => sum + attempts, 0),
      found: [...found].map(([what, count]) => `${count.toLocaleString('en')} ${what}`).join(', '),
      result: resultOf(named),
      note: own
        .map(({ note }) => note)
        .filter(Boolean)
        .join('; '),
    };
  });

const ATTACK_HEADS = {
  number: 'attack',
  guarantee: 'what stands',
  attempts: 'attempts',
  found: 'found',
  result: 'result',
};
/** What was done to it is half of what a fault's row says. */
const FAULT_HEADS = { ...ATTACK_HEADS, number: 'fault', attempts: 'trials', note: 'under' };

/** The rows as lines; an attack whose tests count nothing shows a dash. */
export const attackTable = (rows, columns = ATTACK_HEADS) => {
  const said = rows.map(({ attempts, found, ...row }) => ({
    ...row,
    attempts: attempts === 0 ? '–' : attempts.toLocaleString('en'),
    found: found || '–',
  }));
  const width = (key, head) => Math.max(head.length, ...said.map((row) => row[key].length));
  const line = (row) =>
    Object.entries(columns)
      .map(([key, head]) =>
        key === 'attempts' ? row[key].padStart(width(key, head)) : row[key].padEnd(width(key, head)),
      )
      .join('  ')
      .trimEnd();
  return [line(columns), ...said.map(line)];
};

/** Prints the tables of what the layers that just ran tried; with `all` also what no test of them stands for. */
export const printAttacks = (layers, { all }) => {
  const reports = layers.map((layer) =>
    readJson(join(projectRoot, 'dist', 'test-reports', `${layer}.json`), undefined),
  );
  const tests = reports.flatMap((report) => report?.testResults ?? []).flatMap((file) => file.assertionResults);
  const counts = linesOf(attackReportFile);
  for (const [known, name, heads] of [
    [knownAttacks(), ATTACK_NAME, ATTACK_HEADS],
    [knownFaults(), FAULT_NAME, FAULT_HEADS],
  ]) {
    const rows = attackRows(known, counts, tests, name).filter(({ result }) => all || result !== 'not run');
    if (rows.length > 0) console.log(`\n${attackTable(rows, heads).join('\n')}`);
  }
};
