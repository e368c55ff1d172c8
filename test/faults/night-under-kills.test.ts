import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestRun } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportFault } from '../support/attack-report.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { startTemporal, startWorkerProgram, type TemporalProgram } from '../support/instance.js';
import { type Program, untilTrue } from '../support/programs.js';
import { type LearnedTenant, makeLearnedTenant, TWINS } from './support/learned-tenant.js';
import { countRows, differences, readRows } from './support/row-by-row.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const MEMORIES = IS_FULL ? 5_000 : 2_000;
const KILLS = IS_FULL ? 50 : 3;
/** A worker is killed so long after it has finished a page of its own, at most: somewhere in the next. */
const INTO_NEXT_PAGE_MS = 40;

const runId = (night: number): string => `00000000-0000-4000-9000-${String(night).padStart(12, '0')}`;
const dateOf = (night: number): string => new Date(Date.UTC(2026, 10, 12 + night)).toISOString().slice(0, 10);

describe('nights whose worker is killed', () => {
  let model: TestDatabase;
  let calm: TestDatabase;
  let disturbed: TestDatabase;
  let tenant: LearnedTenant;
  let folder: string;
  let temporals: [TemporalProgram, TemporalProgram];

  beforeAll(async () => {
    model = await openTestDatabase();
    tenant = await makeLearnedTenant(model, MEMORIES);
    // A database that somebody is connected to cannot be cloned.
    await model.doors.close();
    calm = await openTestDatabase(model.name);
    disturbed = await openTestDatabase(model.name);
    folder = await mkdtemp(join(tmpdir(), 'tempera-nights-'));
    // One each: a worker must not be handed the other database's work.
    temporals = [
      await startTemporal(await mkdtemp(join(folder, 'a'))),
      await startTemporal(await mkdtemp(join(folder, 'b'))),
    ];
  });

  afterAll(async () => {
    for (const { program } of temporals) await program.stop();
    for (const database of [disturbed, calm, model]) await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (database: TestDatabase, night: number): Promise<unknown> => {
    const { tenantId, owner } = tenant;
    const id = runId(night);
    const request = {
      tenantId,
      requestedBy: owner.userId,
      kind: 'nightly',
      runDate: dateOf(night),
      at: new Date(),
    } as const;
    return database.doors.asTenant(owner, (tx) => requestRun(tx, { ...request, runId: id, outboxId: id }));
  };

  const statusOf = async (database: TestDatabase, night: number): Promise<string> => {
    const { tenantId } = tenant;
    const rows = await database.doors.asWorker(
      tenantId,
      (tx) => tx.$queryRaw<{ status: string }[]>`
        select status from maintenance_run where tenant_id = ${tenantId}::uuid and id = ${runId(night)}::uuid`,
    );
    return rows[0]?.status ?? 'none';
  };

  const isOver = async (database: TestDatabase, night: number): Promise<boolean> =>
    ['completed', 'failed'].includes(await statusOf(database, night));

  const pagesOf = (night: number): Promise<number> =>
    disturbed.doors.asWorker(tenant.tenantId, (tx) => tx.maintenanceStep.count({ where: { runId: runId(night) } }));

  /** Kills workers at random moments of nights that are under way; how many nights that took. */
  const disturb = async (address: string): Promise<number> => {
    let kills = 0;
    for (let night = 0; ; night += 1) {
      await ask(disturbed, night);
      while (!(await isOver(disturbed, night))) {
        const worker = startWorkerProgram(disturbed, address, { LOG_LEVEL: 'info' });
        await untilTrue('the worker is at work', async () => worker.output().includes('the worker is ready'), worker);
        if (kills === KILLS) {
          await untilTrue('the night is over', () => isOver(disturbed, night), worker);
          await worker.stop();
          break;
        }
        // What the one before had in hand comes after its time-out; a kill that meets nobody at work proves nothing.
        const before = await pagesOf(night);
        await untilTrue(
          'it gets on',
          async () => (await pagesOf(night)) > before || isOver(disturbed, night),
          worker,
          2,
          // Page by page the engine waits longer before it tries again, up to a minute after its ten seconds of silence.
          180_000,
        );
        await new Promise((resolve) => setTimeout(resolve, Math.random() * INTO_NEXT_PAGE_MS));
        await killNow(worker);
        if (!(await isOver(disturbed, night))) kills += 1;
      }
      expect(await statusOf(disturbed, night)).toBe('completed');
      if (kills === KILLS) return night + 1;
    }
  };

  it('fault 5.1: end row by row as undisturbed ones, each step once', async () => {
    const [calmTemporal, temporal] = temporals;
    const nights = await disturb(temporal.address);
    const worker = startWorkerProgram(calm, calmTemporal.address);
    for (let night = 0; night < nights; night += 1) {
      await ask(calm, night);
      await untilTrue('a calm night is over', () => isOver(calm, night), worker);
    }
    await worker.stop();

    const [undisturbed, killed] = [await readRows(calm.adminUrl), await readRows(disturbed.adminUrl)];
    const different = differences(undisturbed, killed);
    reportFault(
      '5.1',
      countRows(killed),
      { 'different rows': different.length },
      `${KILLS} kills in ${nights} nights of ${MEMORIES} memories`,
    );
    expect(different).toEqual([]);
    expect(killed.get('maintenance_step')?.length).toBeGreaterThan(3 * nights);
    expect(killed.get('upkeep_effect')?.filter((row) => row.includes('"merged"'))).toHaveLength(TWINS);
  });
});

const killNow = ({ child }: Program): Promise<void> => {
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.kill('SIGKILL');
  return gone;
};
