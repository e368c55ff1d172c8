import { mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDoors, type Doors } from '@tempera/platform';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Archive, takeBase } from '../../prisma/backup/archive.js';
import { archiveWal } from '../../prisma/backup/archive-wal.js';
import { readCatalogue } from '../../prisma/backup/catalogue.js';
import { restorePoint } from '../../prisma/backup/restore-point.js';
import { differingTables, sumTables, type TableSum } from '../../prisma/backup/table-sums.js';
import { reportFault } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { untilTrue } from '../support/programs.js';
import { makeLearnedTenant } from './support/learned-tenant.js';
import { type MortalPostgres, startLaidOutPostgres, startMortalPostgres } from './support/mortal-postgres.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const MEMORIES = IS_FULL ? 50_000 : 400;

interface State {
  readonly tables: Readonly<Record<string, TableSum>>;
  readonly catalogue: string[];
}

const stateOf = (adminUrl: string): Promise<State> =>
  asSuperuser(adminUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    return { tables: await sumTables(client, false), catalogue: await readCatalogue(client) };
  });

const one = async <Value>(client: pg.Client, query: string): Promise<Value> =>
  (await client.query<{ value: Value }>(query)).rows[0]?.value as Value;

describe('a server whose log is kept', () => {
  let postgres: MortalPostgres;
  let doors: Doors;
  let folder: string;
  let identity: string;
  let archive: Archive;

  beforeAll(async () => {
    process.env['PG_BIN_DIR'] = join(process.env['TEST_POSTGRES_DIR'] ?? '', 'bin');
    postgres = await startMortalPostgres();
    const { app, worker, text, operator } = postgres.urls;
    doors = createDoors({ appUrl: app, workerUrl: worker, textUrl: text, operatorUrl: operator, poolSize: 2 });
    folder = await mkdtemp(join(tmpdir(), 'tempera-archive-'));
    identity = await generateX25519Identity();
    archive = { folder, recipients: [await identityToRecipient(identity)] };
  });

  afterAll(async () => {
    await doors.close();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** All that the server has written by now is with the reader of its log. */
  const untilReceived = (): Promise<void> =>
    asSuperuser(postgres.adminUrl, async (client) => {
      const written = await one<string>(client, 'select pg_current_wal_flush_lsn()::text as value');
      const query = `select coalesce(bool_or(flush_lsn >= '${written}'), false) as value from pg_stat_replication`;
      await untilTrue('the log is received', () => one<boolean>(client, query));
    });

  /** What nobody meant to do, a moment later. */
  const ruin = (): Promise<unknown> =>
    asSuperuser(postgres.adminUrl, async (client) => {
      await client.query(`update memory set text = 'gone', title = 'gone'`);
      await client.query('delete from link');
      // Segments are full one after the other, and change their names while they are put away.
      for (let time = 0; time < 5; time += 1)
        await client.query('select pg_switch_wal(), pg_create_restore_point($1)', [`${time}`]);
    });

  it('fault 6.7: is what it was at a moment before the accident, restored into an empty server, with every policy and grant', async () => {
    const stop = new AbortController();
    const archiving = archiveWal({ ...archive, url: postgres.adminUrl, everyMs: 100 }, stop.signal);
    await takeBase(archive, postgres.adminUrl);
    await makeLearnedTenant({ doors, adminUrl: postgres.adminUrl }, MEMORIES);
    const wanted = await stateOf(postgres.adminUrl);
    const at = await asSuperuser(postgres.adminUrl, (client) => one<Date>(client, 'select clock_timestamp() as value'));
    await ruin();
    const ruined = differingTables(wanted.tables, (await stateOf(postgres.adminUrl)).tables);
    await untilReceived();
    // Both at once, as when a host is lost: what was kept by then is all there is.
    await postgres.kill();
    stop.abort();
    await archiving;

    const began = performance.now();
    const restored = await startLaidOutPostgres(async (home) => {
      const to = { dataFolder: join(home, 'cluster'), walFolder: join(home, 'wal') };
      await expect(restorePoint({ folder, identities: [await generateX25519Identity()], at, ...to })).rejects.toThrow(
        /None of the identities/,
      );
      await restorePoint({ folder, identities: [identity], at, ...to });
    });
    try {
      const isOpen = (): Promise<boolean> =>
        asSuperuser(restored.adminUrl, (client) => one<boolean>(client, 'select not pg_is_in_recovery() as value'));
      await untilTrue('it is open', isOpen);
      const seconds = (performance.now() - began) / 1_000;
      const found = await stateOf(restored.adminUrl);
      const different = differingTables(wanted.tables, found.tables);
      const bytes = await asSuperuser(restored.adminUrl, (client) =>
        one<string>(client, 'select sum(pg_database_size(oid)) as value from pg_database'),
      );
      const gigabytes = Number(bytes) / 1e9;
      const rows = Object.values(found.tables).reduce((sum, table) => sum + table.rows, 0);
      reportFault(
        '6.7',
        rows,
        { 'different tables': different.length },
        `to a point in time, ${gigabytes.toFixed(3)} GB in ${seconds.toFixed(1)} s, ${(seconds / gigabytes).toFixed(0)} s a GB`,
      );
      expect(different).toEqual([]);
      expect(found.catalogue).toEqual(wanted.catalogue);
      // Otherwise nothing was to be taken back.
      expect(ruined.length).toBeGreaterThan(1);
    } finally {
      await restored.close();
    }
  });

  it('fault 6.8: keeps nothing in the clear, and what is cut off is refused', async () => {
    const [base = ''] = (await readdir(folder)).filter((name) => name.startsWith('base-'));
    const segments = await readdir(join(folder, 'wal'));
    expect(segments.length).toBeGreaterThan(0);
    for (const file of [join(base, 'base.tar'), ...segments.map((name) => join('wal', name))]) {
      const head = await firstBytes(join(folder, file));
      expect(head.startsWith('age-encryption.org/v1')).toBe(true);
    }
    const file = join(folder, base, 'base.tar');
    await truncate(file, (await stat(file)).size - 1);
    const to = { dataFolder: join(folder, 'none'), walFolder: join(folder, 'none-wal') };
    await expect(restorePoint({ folder, identities: [identity], ...to })).rejects.toThrow(/damaged/);
    reportFault('6.8', segments.length + 1, { 'in the clear': 0, 'damaged and taken': 0 }, 'base backup and log');
    await expect(readdir(to.dataFolder)).rejects.toThrow();
  });
});

const firstBytes = async (file: string): Promise<string> => {
  const handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(32), 0, 32, 0);
  await handle.close();
  return buffer.toString('latin1');
};
