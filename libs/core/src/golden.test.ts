import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runGolden } from './golden.js';
import { GoldenFileError } from './golden-input.js';

const golden = JSON.parse(readFileSync(new URL('../golden/core.json', import.meta.url), 'utf8')) as unknown;

describe('golden cases of an independent reference', () => {
  const results = runGolden(golden);

  it('has cases', () => expect(results.length).toBeGreaterThan(100));

  it.each(results.map((result, index) => [`${index} ${result.name}`, result] as const))(
    'agrees on case %s',
    (_, result) => {
      expect(result.passed, JSON.stringify({ expected: result.expected, got: result.got })).toBe(true);
    },
  );
});

describe('a golden file that cannot be checked', () => {
  const one = { function: 'recency', input: { ageDays: 0, halfLifeDays: 30 }, expected: 1 };

  it.each([
    ['not an object', [one]],
    ['without tolerance', { cases: [one] }],
    ['without cases', { tolerance: 1e-9 }],
    ['a case without expectation', { tolerance: 1e-9, cases: [{ ...one, expected: undefined }] }],
    ['an unknown function', { tolerance: 1e-9, cases: [{ ...one, function: 'wilson' }] }],
    ['the name of something every object has', { tolerance: 1e-9, cases: [{ ...one, function: 'constructor' }] }],
    ['an input of another type', { tolerance: 1e-9, cases: [{ ...one, input: { ageDays: '0', halfLifeDays: 30 } }] }],
  ])('is refused by name: %s', (_, file) => expect(() => runGolden(file)).toThrow(GoldenFileError));
});

describe('a wrong expectation', () => {
  const check = (expected: unknown): boolean | undefined =>
    runGolden({
      tolerance: 1e-9,
      cases: [{ function: 'recency', input: { ageDays: 30, halfLifeDays: 30 }, expected }],
    })[0]?.passed;

  it('passes within the tolerance only', () => {
    expect(check(0.5 + 1e-10)).toBe(true);
    expect(check(0.5 + 1e-8)).toBe(false);
  });

  it('never passes for another type or null', () => {
    for (const expected of [null, '0.5', [0.5], { value: 0.5 }, true]) expect(check(expected)).toBe(false);
  });

  it('never passes for a part of a list', () => {
    const memory = { ageDays: 400, effective: 0.01, helpfulVotes: 0, retrievals: 0, pinned: false };
    const config = { maxAgeDays: 180, minUtility: 0.05, minRetrievals: 2 };
    const check = (expected: unknown): boolean | undefined =>
      runGolden({ tolerance: 0, cases: [{ function: 'pruneReasons', input: { memory, config }, expected }] })[0]
        ?.passed;
    expect(check(['age', 'utility'])).toBe(true);
    for (const expected of [['age'], ['utility', 'age'], ['age', 'utility', 'age'], []])
      expect(check(expected)).toBe(false);
  });
});
