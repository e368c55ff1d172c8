import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/programs.js';

const SKIPPED = new Set(['node_modules', 'dist', 'generated', '.git', '.tempera', 'histories']);
const SOURCE = /\.(ts|mjs|cjs|js|sql|prisma|md|sh|yml)$/;

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourcesBelow(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });

const page = readFileSync(join(projectRoot, 'docs/design.md'), 'utf8');
const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) => text));
const rules = new Set([...page.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, name]) => name));
const listed = (kind: string): Set<string | undefined> =>
  new Set([...page.matchAll(new RegExp(`^\\| ${kind} (\\d\\.\\d+) `, 'gm'))].map(([, number]) => number));
const attacks = listed('attack');
const faults = listed('fault');

// Comments break lines between a citation's words.
const joined = (text: string): string => text.replace(/\s*\n\s*(\*|\/\/|--)?\s*/g, ' ');

interface Citation {
  readonly file: string;
  readonly cited: string;
  readonly isThere: boolean;
}

const found: Citation[] = sourcesBelow(projectRoot)
  .filter((file) => !file.endsWith('citations.test.ts') && !file.endsWith('docs/design.md'))
  .flatMap((path) => {
    const text = joined(readFileSync(path, 'utf8'));
    const file = relative(projectRoot, path);
    const all = (pattern: RegExp, known: (name: string) => boolean): Citation[] =>
      [...text.matchAll(pattern)].map(([, name = '']) => ({ file, cited: name, isThere: known(name) }));
    return [
      ...all(/docs\/design\.md, "([^"]+)"/g, (name) => headings.has(name) || rules.has(name)),
      ...all(/docs\/design\.md ([RAGMWD]\d+)/g, (name) => rules.has(name)),
      ...all(/\battack (\d\.\d+)/g, (number) => attacks.has(number)),
      ...all(/\bfault (\d\.\d+)/g, (number) => faults.has(number)),
      ...all(/\bnumber: '(\d\.\d+)'/g, (number) => attacks.has(number)),
      // Documents that are not in the repository.
      ...all(/\b((?:DESIGN|SECURITY|LAYOUT|STACK|CASES)\.md|SECURITY [RAGMWD]?\d[\d.]*)/g, () => false),
    ];
  });

describe('what the code cites', () => {
  it('is there, in docs/design.md', () => {
    expect(found.filter(({ isThere }) => !isThere)).toEqual([]);
  });

  it('is found by this test at all', () => {
    expect(found.length).toBeGreaterThan(60);
    expect(rules.size).toBeGreaterThan(30);
    expect(attacks.size).toBeGreaterThan(25);
    expect(faults.size).toBeGreaterThan(15);
  });
});
