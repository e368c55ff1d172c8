import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeInto } from '../../prisma/backup/rotation.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { type Program, startProgram, untilTrue } from '../support/programs.js';

const LOGIN = `tempera_backup_${process.pid}`;

describe('backups on a schedule', () => {
  let database: TestDatabase;
  let folder: string;
  let into: string;
  let url: string;

  beforeAll(async () => {
    const programs = process.env['TEST_POSTGRES_DIR'];
    if (!programs) throw new Error('TEST_POSTGRES_DIR names no Postgres with pg_dump; npm test sets it.');
    process.env['PG_BIN_DIR'] = join(programs, 'bin');
    database = await openTestDatabase();
    // As docs/operations.md has it: a login that can take one role, and nothing without it.
    await asSuperuser(database.adminUrl, async (client) => {
      await client.query(`create role ${LOGIN} login password 'of-a-test'`);
      await client.query(`grant connect on database ${database.name} to ${LOGIN}`);
      await client.query(`grant mem_backup to ${LOGIN} with inherit false, set true`);
    });
    const login = new URL(database.adminUrl);
    [login.username, login.password] = [LOGIN, 'of-a-test'];
    url = login.href;
    folder = await mkdtemp(join(tmpdir(), 'tempera-schedule-'));
    into = join(folder, 'backups');
    await mkdir(into);
    const recipient = await identityToRecipient(await generateX25519Identity());
    await writeFile(join(folder, 'recipients.txt'), `${recipient}\n`);
  });

  afterAll(async () => {
    await asSuperuser(database.adminUrl, (client) => client.query(`drop owned by ${LOGIN}; drop role ${LOGIN}`));
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Program =>
    startProgram(process.execPath, ['dist/prisma/backup/backup-cli.js', '--into', into, ...words], {
      DATABASE_BACKUP_URL: url,
      PG_BIN_DIR: process.env['PG_BIN_DIR'] ?? '',
      ...env,
    });

  const run = async (
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<[unknown, string]> => {
    const program = start(words, env);
    const code = await new Promise((resolve) => program.child.once('close', resolve));
    return [code, program.output()];
  };

  const take = (): Promise<[unknown, string]> =>
    run(['--keep', '2', '--count-only', '--recipients', join(folder, 'recipients.txt')]);

  it('fault 6.8: take what is older away once a newer one is whole, and nothing where it fails, which is told', async () => {
    expect(await run(['--within', '26'])).toEqual([1, expect.stringContaining('has no whole backup')]);
    // What lies there from before: two whole ones, one that was cut off, one that another run is at, and something of somebody's.
    const old = [new Date('2026-11-20T02:10:00Z'), new Date('2026-11-21T02:10:00Z')];
    for (const at of old) await takeInto({ into, keep: 9, url, recipients: [], isCountOnly: true }, at);
    const now = new Date().toISOString().slice(0, 10);
    const another = `${now}T000000Z`;
    for (const name of ['2026-11-22T021000Z', another, 'of somebody']) await mkdir(join(into, name));
    const before = (await readdir(into)).sort();

    const wrong = new URL(url);
    wrong.password = 'wrong';
    const failed = await run(['--keep', '1'], { DATABASE_BACKUP_URL: wrong.href });
    expect(failed).toEqual([1, expect.stringMatching(/authentication failed/)]);
    const beside = await run(['--keep', '1'], { DATABASE_BACKUP_URL: database.urls.app });
    expect(beside).toEqual([1, expect.stringMatching(/permission denied|mem_backup/)]);
    const left = (await readdir(into)).sort();
    expect(left.filter((name) => before.includes(name))).toEqual(before);
    const [code, said] = await take();
    expect([code, said]).toEqual([0, expect.stringContaining(', encrypted, in')]);
    const kept = await readdir(into);
    for (const name of ['2026-11-20T021000Z', '2026-11-22T021000Z']) expect(kept).not.toContain(name);
    for (const name of ['2026-11-21T021000Z', another, 'of somebody']) expect(kept).toContain(name);
    expect(await run(['--within', '1'])).toEqual([0, expect.stringContaining('0.0 hours old')]);
    expect(await run(['--keep', '0'])).toEqual([1, expect.stringContaining('--keep takes a whole number')]);
    const [none, why] = await run(['--into', join(folder, 'not-mounted')]);
    expect([none, why]).toEqual([1, expect.stringContaining('mount what backups are kept on first')]);
  });

  it('that stay take the first at once, none before its time when they are started again, and end when they are told', async () => {
    await rm(into, { recursive: true });
    await mkdir(into);
    for (const _time of ['first', 'again']) {
      const program = start(['--every', '24', '--count-only']);
      await untilTrue('it waits', async () => program.output().includes('the next backup is due at'), program);
      const ended = new Promise((resolve) => program.child.once('close', resolve));
      program.child.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
    expect(await readdir(into)).toHaveLength(1);
  });
});
