import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectRoot } from '../support/programs.js';
import { testFiles, titlesOf } from '../support/test-titles.js';

/** Complaints about other memory products that concern loss, retrieval, secrets, staleness, text and concurrency. */
const WANTED = [
  ...['A1', 'A2', 'A4', 'A5', 'A6', 'A7', 'A8', 'A10', 'A11', 'A12', 'A13', 'A14'],
  ...['B1', 'B2', 'B3', 'B5', 'B6', 'B7', 'B8', 'B10'],
  ...['C6', 'C7', 'C9'],
  ...['D1', 'D2', 'D4'],
  ...['E1', 'E3', 'E4', 'E5'],
  ...['F1', 'F2', 'F3', 'F5', 'F6', 'F7', 'G1', 'G3', 'H1'],
  ...['I1', 'I2', 'I4', 'I6'],
  ...['J1', 'J2', 'J4', 'J5', 'J6'],
  'L1',
];

const Case = z
  .strictObject({
    guarantee: z.string().min(20).optional(),
    test: z.string().endsWith('.test.ts').optional(),
    /** What is not there yet, or not yet shown, and which issue brings it. */
    awaits: z
      .string()
      .regex(/^issue \d: \S.{15,}/)
      .optional(),
  })
  .refine((one) => (one.test === undefined) === (one.guarantee === undefined), 'a test and what it guarantees')
  .refine((one) => one.test !== undefined || one.awaits !== undefined, 'a test, or who brings it');
const cases = z.record(z.string(), Case).parse(JSON.parse(readFileSync(join(projectRoot, 'test/cases.json'), 'utf8')));

const NAMED = /^([A-J]\d{1,2}): \S/;
const tested = new Map<string, Set<string>>();
for (const file of ['test', 'apps', 'libs'].flatMap((folder) => testFiles(join(projectRoot, folder)))) {
  const text = readFileSync(file, 'utf8');
  if (!/['`][A-J]\d{1,2}: /.test(text)) continue;
  for (const title of titlesOf(file, text)) {
    const [, id] = NAMED.exec(title) ?? [];
    if (id !== undefined) tested.set(id, (tested.get(id) ?? new Set()).add(relative(projectRoot, file)));
  }
}

describe('the cases of other products', () => {
  it('stand in test/cases.json, each of them, in order', () => {
    expect(Object.keys(cases)).toEqual(WANTED);
  });

  it('have a test that begins with their id in the file that is named, unless an issue brings it', () => {
    const missing = Object.entries(cases).filter(
      ([id, { test }]) => test !== undefined && tested.get(id)?.has(test) !== true,
    );
    expect(missing.map(([id]) => id)).toEqual([]);
  });

  it('are named by no test that the list does not know as tested', () => {
    expect([...tested.keys()].filter((id) => cases[id]?.test === undefined)).toEqual([]);
  });
});
