import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eraseBatch, requestErasure } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportFault } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { startTemporal, startWorkerProgram, type TemporalProgram } from '../support/instance.js';
import { makeOperator } from '../support/people.js';
import { type Program, untilTrue } from '../support/programs.js';
import { type LearnedTenant, makeLearnedTenant } from './support/learned-tenant.js';
import { countRows, differences, readRows, type Rows } from './support/row-by-row.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const MEMORIES = IS_FULL ? 20_000 : 1_500;
/** Of the worker in the middle of a batch, in turns: of the person's, of the tenant's. */
const KILLS = IS_FULL ? 20 : 2;
/** A batch is tried again after ten seconds of silence and a pause that grows to a minute with every kill. */
const PATIENCE_MS = IS_FULL ? 180_000 : 60_000;
/** Its entries are chained by sums over moments, which no two runs share. */
const CHAINED = 'operator_log';
/** What a deletion's own transaction notes of the usage it gives back is counted where a batch ends with it. */
const OWN_NOTE = / "usage_change": \d+,/;

/** How far the erasure of a person, or of a tenant, has got. */
interface Progress {
  readonly status: string;
  /** Rows that are gone, by what the row of it says. */
  readonly gone: number;
  readonly traces: object;
  readonly searched: number;
}

const TABLES = ['erasure', 'tenant_deletion'] as const;
type Table = (typeof TABLES)[number];

describe('erasures whose worker is killed', () => {
  let model: TestDatabase;
  let calm: TestDatabase;
  let disturbed: TestDatabase;
  /** Whose author is erased, and who goes as a whole. */
  let [left, gone]: LearnedTenant[] = [];
  let erasureId: string;
  let operatorId: string;
  let folder: string;
  let temporal: TemporalProgram;

  beforeAll(async () => {
    model = await openTestDatabase();
    left = await makeLearnedTenant(model, MEMORIES);
    // Statistics of a moment between the two know nothing of the second, as those of a real one do of who has just come.
    await asSuperuser(model.adminUrl, (client) => client.query('analyze'));
    gone = await makeLearnedTenant(model, (MEMORIES * 2) / 3);
    operatorId = await makeOperator(model);
    const wish = { userId: left.author.userId, choice: 'erase', toUserId: null } as const;
    erasureId = (await model.doors.asTenant(left.owner, (tx) => requestErasure(tx, wish))) ?? '';
    await model.doors.close();
    calm = await openTestDatabase(model.name);
    disturbed = await openTestDatabase(model.name);
    folder = await mkdtemp(join(tmpdir(), 'tempera-erasures-'));
    temporal = await startTemporal(folder);
  });

  afterAll(async () => {
    await temporal.program.stop();
    for (const database of [disturbed, calm, model]) await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const askForDeletion = ({ doors }: TestDatabase): Promise<unknown> =>
    doors.asOperator(
      operatorId,
      (tx) => tx.$queryRaw`select change_tenant_status(t.id, 'deleted', t.name)
        from list_tenants(${gone?.tenantId}::uuid, null, null, '', null, 1) t`,
    );

  const progressOf = (client: pg.Client, table: Table): Promise<Progress> =>
    client
      .query<Progress>(
        `select status, traces, searched,
           (select coalesce(sum(value::int), 0)::int from jsonb_each_text(counts)) as gone from ${table}`,
      )
      .then(({ rows: [row] }) => row ?? { status: 'none', gone: 0, traces: {}, searched: 0 });

  const isOver = ({ status }: Progress): boolean => status === 'completed' || status === 'failed';

  /**
   * Kills a worker once more is gone than before, in the middle of a batch: nobody gets on with it while it is held.
   * @returns how far it had got
   */
  const killWithin = (worker: Program, table: Table, before: number): Promise<Progress> =>
    asSuperuser(disturbed.adminUrl, async (client) => {
      const getsOn = async (): Promise<boolean> => {
        const progress = await progressOf(client, table);
        return isOver(progress) || progress.gone > before;
      };
      await untilTrue(`${table} gets on`, getsOn, worker, 2, PATIENCE_MS);
      await client.query('begin');
      await client.query(`select from ${table} for update`);
      const reached = await progressOf(client, table);
      const ended = new Promise((resolve) => worker.child.once('close', resolve));
      worker.child.kill('SIGKILL');
      await ended;
      await client.query('rollback');
      return reached;
    });

  const startWorker = (): Program => startWorkerProgram(disturbed, temporal.address);

  const eraseCalmly = async (): Promise<void> => {
    const tenantId = left?.tenantId ?? '';
    const { doors } = calm;
    await askForDeletion(calm);
    while (!(await doors.asWorker(tenantId, (tx) => eraseBatch(tx, tenantId, erasureId, 500))));
    while (!(await doors.asSystem.deleteTenant(gone?.tenantId ?? '', 1_000)).finished);
  };

  const rowsOf = async ({ adminUrl }: TestDatabase): Promise<Rows> =>
    new Map(
      [...(await readRows(adminUrl))]
        .filter(([table]) => table !== CHAINED)
        .map(([table, rows]) => [table, rows.map((row) => row.replace(OWN_NOTE, ''))]),
    );

  it('fault 5.1: go on where they were, count each row once, and end row by row as undisturbed ones, with whole receipts', async () => {
    const reached: Progress[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      // The tenant's begins when the person's has gone on without its worker.
      if (kill === 1) await askForDeletion(disturbed);
      const before = reached[kill - TABLES.length]?.gone ?? 0;
      reached.push(await killWithin(startWorker(), TABLES[kill % TABLES.length] as Table, before));
    }
    expect(new Set(reached.map(({ status }) => status))).toEqual(new Set(['running']));
    const worker = startWorker();
    const receipts = await asSuperuser(disturbed.adminUrl, async (client) => {
      for (const table of TABLES)
        await untilTrue(
          `${table} is over`,
          async () => isOver(await progressOf(client, table)),
          worker,
          50,
          PATIENCE_MS,
        );
      return Promise.all(TABLES.map((table) => progressOf(client, table)));
    });
    await worker.stop();
    await eraseCalmly();

    const [undisturbed, killed] = [await rowsOf(calm), await rowsOf(disturbed)];
    const different = differences(undisturbed, killed);
    const erased = receipts.reduce((sum, one) => sum + one.gone, 0);
    reportFault(
      '5.1',
      erased,
      { 'different rows': different.length },
      `${KILLS} kills in the erasure of a person and of a tenant`,
    );
    expect(different).toEqual([]);
    expect(receipts).toMatchObject([
      { status: 'completed', traces: {} },
      { status: 'completed', traces: {} },
    ]);
    expect(Math.min(...receipts.map(({ searched }) => searched))).toBeGreaterThan(30);
    expect(countRows(new Map([['memory', killed.get('memory') ?? []]]))).toBe(0);
  });
});
