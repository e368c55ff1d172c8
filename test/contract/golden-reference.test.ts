import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runGolden } from '../../libs/core/src/golden.js';
import { projectRoot } from '../support/programs.js';

/** Whole decisions, whose cases are ours; the other functions' cases came with their expectations. */
const DECISIONS = ['fuse', 'fullScore', 'creditRanks', 'mayMerge', 'linkSession'];
const GOLDEN = join(projectRoot, 'libs/core/golden/core.json');

interface GoldenCase {
  readonly function: string;
  readonly input: object;
  readonly expected: unknown;
}

const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as { readonly cases: readonly GoldenCase[] };
const reference = JSON.parse(
  execFileSync(process.execPath, [join(projectRoot, 'test/golden/reference.mjs'), GOLDEN], { encoding: 'utf8' }),
) as readonly { readonly index: number; readonly function: string; readonly expected: unknown }[];

/** The cases as the golden runner takes them, each expecting what `expectedOf` says. */
const failures = (expectedOf: (index: number) => unknown): string[] => {
  const cases = reference.map(({ index }) => ({ ...golden.cases[index], expected: expectedOf(index) }));
  return runGolden({ tolerance: 1e-9, cases })
    .filter(({ passed }) => !passed)
    .map(({ name, input, expected, got }) => JSON.stringify({ name, input, expected, got }));
};
const worked = new Map(reference.map(({ index, expected }) => [index, expected]));

describe('the golden cases of whole decisions', () => {
  it.each(DECISIONS)('%s: has cases, with both answers where there are two', (name) => {
    const expected = golden.cases.filter((one) => one.function === name).map((one) => one.expected);
    expect(expected.length).toBeGreaterThanOrEqual(20);
    expect(new Set(expected.map((value) => JSON.stringify(value))).size).toBeGreaterThan(1);
  });

  it('are read by the reference, each of them', () => {
    const wanted = golden.cases.flatMap((one, index) => (DECISIONS.includes(one.function) ? [index] : []));
    expect(reference.map(({ index }) => index)).toEqual(wanted);
  });

  it('are decided by the rules as by the reference, and as the file says, within 1e-9', () => {
    expect(failures((index) => worked.get(index))).toEqual([]);
    expect(failures((index) => golden.cases[index]?.expected)).toEqual([]);
  });

  it('come from a reference that knows nothing of the rules', () => {
    const text = readFileSync(join(projectRoot, 'test/golden/reference.mjs'), 'utf8');
    expect([...text.matchAll(/^import .* from '(.*)';$/gm)].map(([, from]) => from)).toEqual(['node:fs']);
    expect(text).not.toMatch(/import\(|require\(/);
  });
});
