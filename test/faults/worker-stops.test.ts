import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { requestRun } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportFault } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { startTemporal, startWorkerProgram, type TemporalProgram } from '../support/instance.js';
import { type Program, untilTrue } from '../support/programs.js';
import { type LearnedTenant, makeLearnedTenant } from './support/learned-tenant.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const STOPS = IS_FULL ? 20 : 1;
const MEMORIES = 1_500;
/** What a pod's grace has room for (docs/design.md W7). */
const LONGEST_STOP_MS = 35_000;

/** Steps of a night; of this many memories each has several pages. */
const STEPS = 6;

/** A worker with a way of its own to the database, so that the server can say which of them has a page open. */
interface Hand {
  readonly worker: Program;
  readonly proxy: FaultProxy;
}

describe('a worker that is told to stop in the middle of a page', () => {
  let database: TestDatabase;
  let tenant: LearnedTenant;
  let folder: string;
  let temporal: TemporalProgram;

  beforeAll(async () => {
    database = await openTestDatabase();
    tenant = await makeLearnedTenant(database, MEMORIES);
    folder = await mkdtemp(join(tmpdir(), 'tempera-stops-'));
    temporal = await startTemporal(folder);
  });

  afterAll(async () => {
    await temporal.program.stop();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const startHand = async (): Promise<Hand> => {
    const proxy = await startFaultProxy(database.urls.worker);
    const urls = { ...database.urls, worker: proxy.url };
    const worker = startWorkerProgram({ urls }, temporal.address, { LOG_LEVEL: 'info' });
    await untilTrue('the worker is at work', async () => worker.output().includes('the worker is ready'), worker);
    return { worker, proxy };
  };

  const askForNight = (runId: string, night: number): Promise<unknown> => {
    const { tenantId, owner } = tenant;
    const runDate = new Date(Date.UTC(2026, 10, 12 + night)).toISOString().slice(0, 10);
    const request = { tenantId, requestedBy: owner.userId, kind: 'nightly', runDate, at: new Date() } as const;
    return database.doors.asTenant(owner, (tx) => requestRun(tx, { ...request, runId, outboxId: randomUUID() }));
  };

  const statusOf = async (runId: string): Promise<string> => {
    const run = await database.doors.asWorker(tenant.tenantId, (tx) =>
      tx.maintenanceRun.findFirst({ where: { id: runId }, select: { status: true } }),
    );
    return run?.status ?? 'none';
  };

  /** Pages as they are recorded, and as many as there are different ones. */
  const pagesOf = async (runId: string): Promise<{ pages: number; different: number }> => {
    const steps = await database.doors.asWorker(tenant.tenantId, (tx) =>
      tx.maintenanceStep.findMany({ where: { runId }, select: { step: true, page: true } }),
    );
    return { pages: steps.length, different: new Set(steps.map(({ step, page }) => `${step} ${page}`)).size };
  };

  /** Holds what a page writes first, so that the worker stands inside a transaction until `release`. */
  const holdPages = async (): Promise<() => Promise<void>> => {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query('begin');
    await client.query('lock table maintenance_step in exclusive mode');
    return async () => {
      await client.query('rollback');
      await client.end();
    };
  };

  /** Waits until a page stands at the lock; the server's name for the connection it is on. */
  const portOfHeld = (): Promise<number> =>
    asSuperuser(database.adminUrl, async (client) => {
      let port: number | undefined;
      await untilTrue('a page waits', async () => {
        const { rows } = await client.query<{ port: number }>(
          `select client_port as port from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        port = rows[0]?.port;
        return port !== undefined;
      });
      return port ?? -1;
    });

  /** SIGTERM to whoever has a page open; how long that one took to end. */
  const stopInPage = async (runId: string, night: number, hands: readonly Hand[]): Promise<[Hand, number]> => {
    const release = await holdPages();
    await askForNight(runId, night);
    const port = await portOfHeld();
    const hand = hands.find(({ proxy }) => proxy.portsAtServer().includes(port));
    if (hand === undefined) throw new Error('Nobody has the page.');
    const { worker, proxy } = hand;
    const began = performance.now();
    const ended = new Promise((resolve) => worker.child.once('close', resolve));
    worker.child.kill('SIGTERM');
    await untilTrue('it has heard', async () => worker.output().includes('"stopping"'), worker);
    await release();
    expect(await ended, worker.output()).toBe(0);
    await proxy.close();
    return [hand, performance.now() - began];
  };

  it('fault 5.11: finishes it or leaves it to another, ends in time, and no page is done twice', async () => {
    const stops: number[] = [];
    let twice = 0;
    // The other is there already, as it is in a deployment of two.
    let hands = [await startHand(), await startHand()];
    for (let night = 0; night < STOPS; night += 1) {
      const runId = randomUUID();
      const [stopped, took] = await stopInPage(runId, night, hands);
      stops.push(took);
      const [other] = hands.filter((hand) => hand !== stopped);
      await untilTrue('the night is over', async () => (await statusOf(runId)) === 'completed', other?.worker);
      const { pages, different } = await pagesOf(runId);
      expect(pages).toBeGreaterThan(STEPS);
      twice += pages - different;
      hands = [...hands.filter((hand) => hand !== stopped), ...(night + 1 < STOPS ? [await startHand()] : [])];
    }
    for (const { worker, proxy } of hands) await worker.stop().then(() => proxy.close());

    const longest = Math.max(...stops);
    const note = `stopped inside a page, the longest stop ${(longest / 1_000).toFixed(1)} s`;
    reportFault('5.11', STOPS, { 'done twice': twice }, note);
    expect(twice).toBe(0);
    expect(longest).toBeLessThan(LONGEST_STOP_MS);
  });
});
