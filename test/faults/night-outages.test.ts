import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { cancelRun, type RequestedRun, requestRun } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportFault } from '../support/attack-report.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { startTemporal, startWorkerProgram, type TemporalProgram } from '../support/instance.js';
import { type Program, untilTrue } from '../support/programs.js';
import { type LearnedTenant, makeLearnedTenant } from './support/learned-tenant.js';
import { countRows, differences, readRows } from './support/row-by-row.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const MEMORIES = IS_FULL ? 20_000 : 2_000;
/** How long the database is away in the middle of a night, and how it comes and goes after that. */
const AWAY_MS = IS_FULL ? 120_000 : 3_000;
const FLAPS = IS_FULL ? 6 : 2;
const FLAP_MS = IS_FULL ? 5_000 : 1_000;
const TEMPORAL_KILLS = IS_FULL ? 10 : 1;
const LAST_NIGHT = TEMPORAL_KILLS + 1;

const runId = (night: number): string => `00000000-0000-4000-9000-${String(night).padStart(12, '0')}`;
const dateOf = (night: number): string => new Date(Date.UTC(2026, 10, 12 + night)).toISOString().slice(0, 10);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('nights whose servers go away', () => {
  let model: TestDatabase;
  let calm: TestDatabase;
  let disturbed: TestDatabase;
  let tenant: LearnedTenant;
  let folder: string;
  /** Where the engine that is killed keeps what it knows. */
  let state: string;
  let temporal: TemporalProgram;
  let proxy: FaultProxy;
  let worker: Program;

  beforeAll(async () => {
    model = await openTestDatabase();
    tenant = await makeLearnedTenant(model, MEMORIES);
    await model.doors.close();
    calm = await openTestDatabase(model.name);
    disturbed = await openTestDatabase(model.name);
    folder = await mkdtemp(join(tmpdir(), 'tempera-outages-'));
    await runCalmly();
    state = await mkdtemp(join(folder, 'disturbed'));
    temporal = await startTemporal(state);
    proxy = await startFaultProxy(disturbed.urls.worker);
    const urls = { ...disturbed.urls };
    for (const role of ['app', 'worker', 'text'] as const) urls[role] = throughProxy(disturbed.urls[role]);
    worker = await startWorker({ urls });
  });

  afterAll(async () => {
    await worker.stop();
    await temporal.program.stop();
    await proxy.close();
    for (const database of [disturbed, calm, model]) await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** On an engine of its own: the same runs have the same names there. */
  const runCalmly = async (): Promise<void> => {
    temporal = await startTemporal(await mkdtemp(join(folder, 'calm')));
    const undisturbed = await startWorker(calm);
    for (let night = 0; night <= TEMPORAL_KILLS; night += 1) {
      await ask(calm, night);
      await untilOver(calm, night, undisturbed);
    }
    await undisturbed.stop();
    await temporal.program.stop();
  };

  const throughProxy = (url: string): string => {
    const changed = new URL(url);
    changed.port = String(proxy.port);
    return changed.href;
  };

  const startWorker = async (database: Pick<TestDatabase, 'urls'>): Promise<Program> => {
    const program = startWorkerProgram(database, temporal.address, { LOG_LEVEL: 'info' });
    await untilTrue('the worker is ready', async () => program.output().includes('the worker is ready'), program);
    return program;
  };

  const ask = ({ doors }: TestDatabase, night: number, runDate = dateOf(night)): Promise<RequestedRun> => {
    const { tenantId, owner } = tenant;
    const id = runId(night);
    const wanted = { requestedBy: owner.userId, kind: 'nightly', runDate, at: new Date() } as const;
    return doors.asTenant(owner, (tx) => requestRun(tx, { ...wanted, tenantId, runId: id, outboxId: id }));
  };

  const statusOf = async ({ doors }: TestDatabase, night: number): Promise<string> => {
    const run = await doors.asWorker(tenant.tenantId, (tx) =>
      tx.maintenanceRun.findFirst({ where: { id: runId(night) }, select: { status: true } }),
    );
    return run?.status ?? 'none';
  };

  /** A night that failed is over as well, and is told by what it left. */
  const untilOver = (database: TestDatabase, night: number, program: Program): Promise<void> =>
    untilTrue('the night is over', async () => /completed|failed/.test(await statusOf(database, night)), program);

  const pagesOf = (night: number): Promise<number> =>
    disturbed.doors.asWorker(tenant.tenantId, (tx) => tx.maintenanceStep.count({ where: { runId: runId(night) } }));

  /** Begins a night and waits until it is in the middle of its pages. */
  const beginNight = async (night: number): Promise<void> => {
    await ask(disturbed, night);
    await untilTrue('it has begun', async () => (await pagesOf(night)) > 1, worker, 2);
    expect(await statusOf(disturbed, night)).toBe('running');
  };

  it('fault 5.4: are completed when the database is back, or comes and goes', async () => {
    await beginNight(0);
    proxy.inflict({ kind: 'reset' });
    await pause(AWAY_MS);
    let hits = proxy.hits();
    for (let flap = 0; flap < FLAPS; flap += 1) {
      proxy.heal();
      await pause(FLAP_MS);
      proxy.inflict({ kind: 'reset' });
      await pause(FLAP_MS);
      hits += proxy.hits();
    }
    proxy.heal();
    await untilOver(disturbed, 0, worker);

    const status = await statusOf(disturbed, 0);
    const note = `away for ${AWAY_MS / 1_000} s in mid-run, then ${FLAPS} times for ${FLAP_MS / 1_000} s, ${hits} connections cut`;
    reportFault('5.4', await pagesOf(0), { failed: status === 'completed' ? 0 : 1 }, note);
    expect(status).toBe('completed');
    expect(hits).toBeGreaterThan(1);
  });

  it('fault 5.6: go on where they were when the engine was killed, with its schedules, row by row as undisturbed ones', async () => {
    const schedules = await listSchedules();
    expect(schedules).toHaveLength(1);
    for (let night = 1; night <= TEMPORAL_KILLS; night += 1) {
      await beginNight(night);
      const gone = new Promise((resolve) => temporal.program.child.once('close', resolve));
      temporal.program.child.kill('SIGKILL');
      await gone;
      temporal = await startTemporal(state, temporal.port);
      await untilOver(disturbed, night, worker);
    }

    const [undisturbed, killed] = [await readRows(calm.adminUrl), await readRows(disturbed.adminUrl)];
    const different = differences(undisturbed, killed);
    const lost = schedules.length - (await listSchedules()).length;
    reportFault(
      '5.6',
      countRows(killed),
      { 'different rows': different.length, 'schedules lost': lost },
      `${TEMPORAL_KILLS} kills of Temporal in mid-run`,
    );
    expect(different).toEqual([]);
    expect(lost).toBe(0);
  });

  it('I4: of a worker that was killed are finished by another, can be cancelled, and swallow no request that comes after', async () => {
    const [killed, stuck, wanted] = [LAST_NIGHT, LAST_NIGHT + 1, LAST_NIGHT + 2];
    await beginNight(killed);
    await killWorker();
    worker = await startWorker(disturbed);
    await untilOver(disturbed, killed, worker);
    await beginNight(stuck);
    await killWorker();
    const { tenantId, owner } = tenant;
    const isCancelled = await disturbed.doors.asTenant(owner, (tx) =>
      cancelRun(tx, tenantId, runId(stuck), new Date()),
    );
    const pagesLeft = await pagesOf(stuck);
    const { isNew } = await ask(disturbed, wanted, dateOf(stuck));
    expect({ isCancelled, isNew }).toEqual({ isCancelled: true, isNew: true });
    worker = await startWorker(disturbed);
    await untilOver(disturbed, wanted, worker);

    expect(await statusOf(disturbed, killed)).toBe('completed');
    expect(await statusOf(disturbed, stuck)).toBe('cancelled');
    expect(await statusOf(disturbed, wanted)).toBe('completed');
    expect(await pagesOf(stuck)).toBe(pagesLeft);
    expect(await pagesOf(wanted)).toBeGreaterThan(pagesLeft);
  });

  const killWorker = async (): Promise<void> => {
    const gone = new Promise((resolve) => worker.child.once('close', resolve));
    worker.child.kill('SIGKILL');
    await gone;
  };

  const listSchedules = async (): Promise<string[]> => {
    const connection = await Connection.connect({ address: temporal.address });
    const found: string[] = [];
    for await (const { scheduleId } of new Client({ connection }).schedule.list()) found.push(scheduleId);
    await connection.close();
    return [...new Set(found)];
  };
});
