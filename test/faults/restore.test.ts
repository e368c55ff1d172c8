import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDoors, eraseBatch, requestErasure } from '@tempera/platform';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeBackup } from '../../prisma/backup/dump.js';
import { joined, LEDGER_FILE, readLedgerFile } from '../../prisma/backup/ledger.js';
import { replayLedger } from '../../prisma/backup/replay.js';
import { startTool } from '../../prisma/backup/pg-tools.js';
import { restoreBackup } from '../../prisma/backup/restore.js';
import { reportFault } from '../support/attack-report.js';
import { asSuperuser, inDatabase, testAdminUrl, testRoleUrls } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { type LearnedTenant, makeLearnedTenant } from './support/learned-tenant.js';
import { countRows, differences, readRows } from './support/row-by-row.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const MEMORIES = IS_FULL ? 50_000 : 800;

describe('a backup', () => {
  let database: TestDatabase;
  let folder: string;
  let identity: string;
  let team: LearnedTenant;
  const made: string[] = [];

  beforeAll(async () => {
    const programs = process.env['TEST_POSTGRES_DIR'];
    if (!programs) throw new Error('TEST_POSTGRES_DIR names no Postgres with pg_dump; npm test sets it.');
    process.env['PG_BIN_DIR'] = join(programs, 'bin');
    database = await openTestDatabase();
    team = await makeLearnedTenant(database, MEMORIES);
    folder = await mkdtemp(join(tmpdir(), 'tempera-backup-'));
    identity = await generateX25519Identity();
  });

  afterAll(async () => {
    await database.close();
    await asSuperuser(testAdminUrl(), async (client) => {
      for (const name of made) await client.query(`drop database if exists ${name} with (force)`);
    });
    await rm(folder, { recursive: true, force: true });
  });

  const emptyDatabase = async (): Promise<string> => {
    const name = `tempera_restore_${process.pid}_${made.length}`;
    await asSuperuser(testAdminUrl(), (client) => client.query(`create database ${name} template template0`));
    made.push(name);
    return inDatabase(testAdminUrl(), name);
  };

  const backUp = async (name: string, url = database.adminUrl): Promise<string> => {
    const to = join(folder, name);
    await takeBackup({ url, folder: to, recipients: [await identityToRecipient(identity)] });
    return to;
  };

  const restore = async (from: string, adminUrl: string, identities = [identity]): Promise<unknown> =>
    restoreBackup({ folder: from, adminUrl, roles: testRoleUrls(adminUrl), identities });

  /** How often a plain dump of everything has a word. */
  const dumpSays = async (url: string, word: string): Promise<number> => {
    const { child, done } = startTool('pg_dump', ['--format=plain'], url);
    let [times, rest] = [0, ''];
    for await (const chunk of child.stdout ?? []) {
      const text = rest + String(chunk);
      times += text.split(word).length - 1;
      rest = text.slice(-word.length + 1);
    }
    await done;
    return times;
  };

  const isEmpty = (url: string): Promise<boolean> =>
    asSuperuser(url, async (client) => {
      const { rowCount } = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
      return rowCount === 0;
    });

  it('fault 6.7: is restored row by row, with every policy and grant, and an instance opens its doors on it', async () => {
    const from = await backUp('whole');
    const adminUrl = await emptyDatabase();
    const began = performance.now();
    await restore(from, adminUrl);
    const seconds = (performance.now() - began) / 1_000;

    const [kept, restored] = [await readRows(database.adminUrl), await readRows(adminUrl)];
    const different = differences(kept, restored);
    const { dump } = JSON.parse(await readFile(join(from, 'manifest.json'), 'utf8')) as { dump: { bytes: number } };
    const { rows } = await asSuperuser(adminUrl, (client) =>
      client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes'),
    );
    const gigabytes = Number(rows[0]?.bytes) / 1e9;
    const note = `${dump.bytes} bytes of dump, ${gigabytes.toFixed(3)} GB restored at ${(seconds / gigabytes).toFixed(0)} s a GB`;
    reportFault('6.7', countRows(restored), { 'different rows': different.length }, note);
    expect(different).toEqual([]);
    const { app, worker, text, operator } = testRoleUrls(adminUrl);
    const doors = createDoors({ appUrl: app, workerUrl: worker, textUrl: text, operatorUrl: operator, poolSize: 2 });
    await doors.selfCheck();
    await doors.close();
  });

  it('attack 4.12: who was erased is in no dump since, and not in an older backup either once the ledger was replayed', async () => {
    const { tenantId, owner, author } = team;
    const canary = 'quokkazanzibar';
    const { doors } = database;
    await makeMemory(doors, author, { text: `private ${canary}` });
    await asSuperuser(database.adminUrl, (client) =>
      client.query(`update app_user set email = $2 where id = $1`, [author.userId, `${canary}@example.org`]),
    );
    const older = await backUp('before');
    expect(await dumpSays(database.adminUrl, canary)).toBeGreaterThan(1);
    const id = await doors.asTenant(owner, (tx) =>
      requestErasure(tx, { userId: author.userId, choice: 'erase', toUserId: null }),
    );
    while (!(await doors.asWorker(tenantId, (tx) => eraseBatch(tx, tenantId, id ?? '', 500))));
    expect(await dumpSays(database.adminUrl, canary)).toBe(0);
    const newer = await backUp('after');

    const adminUrl = await emptyDatabase();
    await restore(older, adminUrl);
    expect(await dumpSays(adminUrl, canary)).toBeGreaterThan(1);
    const ledger = joined([
      await readLedgerFile(join(newer, LEDGER_FILE)),
      await readLedgerFile(join(older, LEDGER_FILE)),
    ]);
    expect(await replayLedger(adminUrl, ledger)).toEqual({ users: 1, tenants: 0, nothingToDo: 0 });
    expect(await dumpSays(adminUrl, canary)).toBe(0);
    const receipts = await asSuperuser(adminUrl, (client) => client.query('select id, status, traces from erasure'));
    expect(receipts.rows).toEqual([{ id, status: 'completed', traces: {} }]);
    // A tenant that was deleted since goes the same way.
    const gone = [{ kind: 'tenant', tenantId, at: '' } as const];
    expect(await replayLedger(adminUrl, gone)).toEqual({ users: 0, tenants: 1, nothingToDo: 0 });
    expect(await dumpSays(adminUrl, 'episode 1')).toBe(0);
    // Twice is once, and a ledger of which a line was lost is not replayed by half.
    expect(await replayLedger(adminUrl, [...ledger, ...gone])).toEqual({ users: 0, tenants: 0, nothingToDo: 2 });
    await appendFile(join(newer, LEDGER_FILE), '{"kind":"user"}\n');
    await expect(readLedgerFile(join(newer, LEDGER_FILE))).rejects.toThrow('line 2');
  });

  it('fault 6.7: that lost a row or a policy on the way is told from a good one', async () => {
    const from = await backUp('tampered');
    const manifestFile = join(from, 'manifest.json');
    const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as {
      tables: Record<string, { rows: number; sum: string }>;
    };
    const memory = manifest.tables['memory'];
    if (memory === undefined) throw new Error('the manifest has no memories');
    await writeFile(
      manifestFile,
      JSON.stringify({ ...manifest, tables: { ...manifest.tables, memory: { ...memory, rows: memory.rows + 1 } } }),
    );
    await expect(restore(from, await emptyDatabase())).rejects.toThrow(/memory: \d+ rows instead of \d+/);
    await writeFile(
      manifestFile,
      JSON.stringify({ ...manifest, tables: { ...manifest.tables, memory: { ...memory, sum: '1' } } }),
    );
    await expect(restore(from, await emptyDatabase())).rejects.toThrow(/memory: other contents/);
    const catalogue = `${await readFile(join(from, 'catalogue.txt'), 'utf8')}policy memory.one_more\n`;
    await writeFile(join(from, 'catalogue.txt'), catalogue);
    const catalogueSha256 = createHash('sha256').update(catalogue).digest('hex');
    await writeFile(manifestFile, JSON.stringify({ ...manifest, catalogueSha256 }));
    await expect(restore(from, await emptyDatabase())).rejects.toThrow('missing: policy memory.one_more');
  });

  it('fault 6.8: fails loudly and writes nothing: as a login that sees a part, cut off, changed, with a wrong key, into a database in use', async () => {
    await expect(backUp('as-app', database.urls.app)).rejects.toThrow(/permission denied|must be able to|mem_backup/);
    const from = await backUp('broken');
    const target = await emptyDatabase();
    await expect(restore(from, target, [await generateX25519Identity()])).rejects.toThrow(
      'None of the identities opens',
    );
    await expect(restore(from, target, [])).rejects.toThrow('is encrypted');
    await expect(restore(from, database.adminUrl)).rejects.toThrow('not empty');
    await appendFile(join(from, 'catalogue.txt'), 'policy x\n');
    await expect(restore(from, target)).rejects.toThrow('catalogue.txt is not what its manifest says');
    await truncate(join(from, 'tempera.dump'), 20_000);
    await expect(restore(from, target)).rejects.toThrow('tempera.dump is not what its manifest says');
    await rm(join(from, 'manifest.json'));
    await expect(restore(from, target)).rejects.toThrow('is no finished backup');
    expect(await isEmpty(target)).toBe(true);
    reportFault(
      '6.8',
      7,
      { 'taken for good': 0 },
      'a login that sees a part, two keys, a full database, two changed files, no manifest',
    );
  });
});
