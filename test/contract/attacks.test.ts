import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/programs.js';
import { testFiles, titlesOf } from '../support/test-titles.js';

/** Attacks whose tests are still being written. Empty it. */
const NOT_YET: readonly string[] = ['2.14'];

interface Named {
  readonly file: string;
  readonly title: string;
}

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const named: Named[] = testFiles(join(projectRoot, 'test')).flatMap((path) => {
  const text = readFileSync(path, 'utf8');
  if (!text.includes('attack')) return [];
  return titlesOf(path, text).map((title) => ({ file: relative(projectRoot, path), title }));
});
const written = named.filter(({ title }) => /attack \d/.test(title));
/** The suites of test/tenancy make their names from this list. */
const made = [...read('test/tenancy/attacks.ts').matchAll(/number: '(\d\.\d+)'/g)].map(([, number = '']) => number);
const tested = new Set([...written.map(({ title }) => /attack (\d\.\d+)/.exec(title)?.[1] ?? ''), ...made]);

const guarantees = JSON.parse(read('test/attacks.json')) as Readonly<Record<string, string>>;
const listed = [...read('docs/design.md').matchAll(/^\| attack (\d\.\d+) /gm)].map(([, number = '']) => number);

describe('the attacks of docs/design.md', () => {
  it('have a guarantee in words, each of the chapters on tenancy, sign-in and GraphQL', () => {
    const wanted = listed.filter((number) => /^[123]\./.test(number) || ['4.9', '4.12', '4.14'].includes(number));
    expect(Object.keys(guarantees)).toEqual(wanted);
  });

  it('have a test named by its number, each of them', () => {
    const missing = Object.keys(guarantees).filter((number) => !tested.has(number));
    expect(missing.filter((number) => !NOT_YET.includes(number))).toEqual([]);
  });

  it('are named by tests in one form, at the beginning, so that they can be run and counted alone', () => {
    expect(written.filter(({ title }) => !/^attack \d\.\d+: \S/.test(title))).toEqual([]);
    expect(written.length).toBeGreaterThan(25);
  });

  it('are known by every number that a test names', () => {
    expect([...tested].filter((number) => !listed.includes(number))).toEqual([]);
  });
});

describe('the faults of docs/design.md', () => {
  const faultNames = testFiles(join(projectRoot, 'test')).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return titlesOf(path, text).filter((title) => /fault \d\.\d/.test(title));
  });

  it('are named by tests in one form, and each with a test has a guarantee in words', () => {
    const tested = new Set(faultNames.map((title) => /^fault (\d\.\d+): \S/.exec(title)?.[1] ?? title));
    expect([...tested].sort()).toEqual(Object.keys(JSON.parse(read('test/faults.json')) as object).sort());
  });
});
