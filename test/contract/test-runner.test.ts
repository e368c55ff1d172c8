import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Step {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

interface StepsModule {
  readonly countLayer: (result: { ok: boolean; report?: Report }) => Omit<Step, 'name' | 'seconds'>;
  readonly howItEnded: (ending: Ending) => string;
}

interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly problem?: string;
  readonly seconds: number;
  readonly timeoutMs: number;
}

interface ArgumentsModule {
  readonly readTestArguments: (args: string[]) => { layers: string[]; full: boolean; attacks: boolean; help: boolean };
  readonly UsageError: new () => Error;
}

interface AttackRow {
  readonly number: string;
  readonly result: string;
}

interface AttackTableModule {
  readonly attackRows: (
    known: Readonly<Record<string, string>>,
    counts: readonly { number: string; attempts: number; found: Readonly<Record<string, number>> }[],
    tests: readonly { fullName: string; status: string }[],
  ) => AttackRow[];
  readonly attackTable: (rows: readonly AttackRow[]) => string[];
}

interface ReportModule {
  readonly tableOf: (steps: readonly Step[]) => string[];
  readonly closingLine: (steps: readonly Step[]) => string;
}

// The runner is plain JavaScript, because it runs before anything is installed.
const load = async <T>(file: string): Promise<T> => (await import(new URL(file, import.meta.url).href)) as T;
const { countLayer, howItEnded } = await load<StepsModule>('../runner/steps.mjs');
const { readTestArguments, UsageError } = await load<ArgumentsModule>('../runner/arguments.mjs');
const { attackRows, attackTable } = await load<AttackTableModule>('../runner/attack-table.mjs');
const { tableOf, closingLine } = await load<ReportModule>('../runner/report.mjs');

const report = (passed: number, failed = 0, pending = 0): Report => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
});
const step = (name: string, passed: number, failed: number, skipped = 0): Step => ({
  name,
  passed,
  failed,
  skipped,
  seconds: 1.25,
});

describe('npm test', () => {
  it('counts a layer as its report says', () => {
    expect(countLayer({ ok: true, report: report(12, 0, 2) })).toEqual({ passed: 12, failed: 0, skipped: 2 });
    expect(countLayer({ ok: false, report: report(10, 2) })).toEqual({ passed: 10, failed: 2, skipped: 0 });
  });

  it('fails a layer that ran no test, that crashed without a report, or whose process failed though every test passed', () => {
    expect(countLayer({ ok: true, report: report(0) }).failed).toBe(1);
    expect(countLayer({ ok: true, report: report(0, 0, 5) }).failed).toBe(1);
    expect(countLayer({ ok: false })).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countLayer({ ok: false, report: report(12) }).failed).toBe(1);
  });

  it('ends with one plain line, with the skipped ones where there are any', () => {
    expect(closingLine([step('unit', 40, 0), step('e2e', 2, 1)])).toBe('42 passed, 1 failed');
    expect(closingLine([step('unit', 40, 0, 3)])).toBe('40 passed, 0 failed, 3 skipped');
    expect(closingLine([])).toBe('0 passed, 0 failed');
  });

  it('shows each layer with its counts and seconds', () => {
    const [head, unit] = tableOf([step('unit', 40, 0, 3)]);
    expect(head?.split(/\s+/)).toEqual(['layer', 'passed', 'failed', 'skipped', 'seconds']);
    expect(unit?.split(/\s+/)).toEqual(['unit', '40', '0', '3', '1.3']);
  });

  it('says how a step ended that could not say so itself', () => {
    const ending = { code: null, signal: null, seconds: 3, timeoutMs: 600_000 };
    expect(howItEnded({ ...ending, code: 2 })).toBe('ended with code 2');
    expect(howItEnded({ ...ending, signal: 'SIGSEGV' })).toBe('was ended by SIGSEGV after 3 s');
    expect(howItEnded({ ...ending, signal: 'SIGKILL', seconds: 600.1 })).toBe('was stopped after 600 s, its limit');
    expect(howItEnded({ ...ending, problem: 'spawn ENOENT' })).toBe('could not be run: spawn ENOENT');
  });

  it.each([
    [['--layer'], /--layer/],
    [['--layer', '--full'], /--layer/],
    [['--layer', 'units'], /no layer "units"[^]*unit, integration/],
    [['--layer='], /no layer ""/],
    [['--layers', 'unit'], /--layers/],
    [['unit'], /'unit'/],
    [['--full=yes'], /--full/],
  ])('refuses %j in one sentence, as a matter of usage', (args, said) => {
    expect(() => readTestArguments(args)).toThrow(UsageError);
    expect(() => readTestArguments(args)).toThrow(said);
  });

  it('runs the layers that were asked for, in its own order, and all of them without any', () => {
    expect(readTestArguments(['--layer', 'unit', '--layer', 'checks']).layers).toEqual(['checks', 'unit']);
    expect(readTestArguments([])).toMatchObject({ full: false, help: false });
    expect(readTestArguments([]).layers).toHaveLength(7);
    expect(readTestArguments(['--full', '-h'])).toMatchObject({ full: true, help: true });
    expect(readTestArguments([]).attacks).toBe(false);
    expect(readTestArguments(['--attacks'])).toMatchObject({ attacks: true, full: false });
    expect(readTestArguments(['--attacks']).layers).not.toContain('checks');
  });

  it('ends with a row for each attack: what its tests tried and found, and whether they hold', () => {
    const known = { '1.3': 'everyone sees what they may', '1.10': 'who left sees nothing', '2.5': 'keys rotate' };
    const counts = [
      { number: '1.3', attempts: 1_000, found: { leaks: 0 } },
      { number: '1.3', attempts: 234, found: { leaks: 2, accepted: 0 } },
    ];
    const tests = [
      { fullName: 'attack 1.3: by lists', status: 'passed' },
      { fullName: 'by ids attack 1.3: one by one', status: 'failed' },
      { fullName: 'attack 1.10: at once', status: 'passed' },
      { fullName: 'attack 2.5: keys', status: 'skipped' },
    ];
    const rows = attackRows(known, counts, tests);
    expect(rows.map(({ number, result }) => [number, result])).toEqual([
      ['1.3', 'FAILED'],
      ['1.10', 'holds'],
      ['2.5', 'not run'],
    ]);
    const [head = '', first, second] = attackTable(rows);
    expect(head.split(/\s{2,}/)).toEqual(['attack', 'what stands', 'attempts', 'found', 'result']);
    expect(first).toMatch(/1,234 {2}2 leaks, 0 accepted {2}FAILED$/);
    expect(second).toMatch(/– {2}– +holds$/);
  });
});

describe('the scripts of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };

  it.each(Object.entries(scripts))('%s can be run before anything is built', (_, command) => {
    // `exec` hands the process of the shell on, so that it is sent what npm is sent.
    const [program = '', file = ''] = command.replace(/^exec /, '').split(' ');
    // Prettier is there once packages are; everything else begins with a file of the repository.
    if (program === 'prettier') return;
    expect([program, /(^|\/)dist\//.test(file)]).toEqual(['node', false]);
    expect(existsSync(new URL(`../../${file}`, import.meta.url)), file).toBe(true);
  });
});
