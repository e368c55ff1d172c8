import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexBuiltAlone } from '../../../prisma/migrate.js';
import { getTool, type Had, need, root, runTool, tools } from '../../support/shipping/tools.js';

const FOLDER = join(root, 'prisma/migrations');
/** Migrations before this were released on a service that nobody ran yet, and are never changed. */
const LINTED_FROM = '20261201';
const RULES = [
  // The runner sets a limit on locks; statements of a backfill may take as long as they need.
  'require-lock-timeout,require-statement-timeout',
  // Numbers of things that stay small are small.
  'prefer-bigint-over-int',
];

let squawk: Had<string>;
let folder: string;
beforeAll(async () => {
  squawk = await getTool(tools.squawkProgram);
  folder = mkdtempSync(join(tmpdir(), 'tempera-squawk-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What squawk says of a migration; empty where it finds nothing. Each is one transaction, but for an index built alone. */
const lint = async (program: string, file: string): Promise<string> => {
  const isAlone = indexBuiltAlone(readFileSync(file, 'utf8')) !== undefined;
  const options = [
    '--pg-version',
    '18.0',
    '--exclude',
    RULES.join(','),
    ...(isAlone ? [] : ['--assume-in-transaction']),
  ];
  const { code, out, err } = await runTool(program, [...options, file]);
  return code === 0 ? '' : `${out}${err}`;
};

describe('migrations from now on', () => {
  it('stop no running service: squawk finds nothing in them', async ({ skip }) => {
    const program = need(squawk, skip);
    const names = readdirSync(FOLDER).filter((name) => name >= LINTED_FROM && /^\d{14}_/.test(name));
    for (const name of names) expect(await lint(program, join(FOLDER, name, 'migration.sql')), name).toBe('');
  });

  it('would be told of an index that keeps writers waiting, a constraint checked under lock, and a column that others read', async ({
    skip,
  }) => {
    const program = need(squawk, skip);
    const said = (sql: string): Promise<string> => {
      const file = join(folder, 'migration.sql');
      writeFileSync(file, sql);
      return lint(program, file);
    };
    expect(await said('create index memory_title on memory (title);')).toContain('require-concurrent-index-creation');
    const unchecked = 'alter table memory add constraint short check (length(title) < 500);';
    expect(await said(unchecked)).toContain('constraint-missing-not-valid');
    expect(await said('alter table memory rename column title to heading;')).toContain('renaming-column');
    expect(await said('alter table memory add column mood text not null;')).toContain('adding-required-field');
    expect(await said(unchecked.replace(';', ' not valid;'))).toBe('');
    expect(await said('create index concurrently if not exists memory_title on memory (title);')).toBe('');
  });
});
