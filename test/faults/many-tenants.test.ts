import { randomUUID } from 'node:crypto';
import type { Doors } from '@tempera/platform';
import { NIGHTLY_WORKFLOW, scheduleIdOf } from '@tempera/platform/temporal/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ACTIVITIES, Schedules } from '../../apps/worker/src/index.js';
import { reportFault } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeTenant } from '../support/people.js';
import { untilTrue } from '../support/programs.js';
import { askForNight, makeWorker, type NightWorld, openNightWorld } from '../workflows/support/night-world.js';
import { type LearnedTenant, makeLearnedTenant } from './support/learned-tenant.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const LARGE = IS_FULL ? 100_000 : 800;
const SMALL = IS_FULL ? 100 : 20;
const SMALL_TENANTS = IS_FULL ? 99 : 4;
const PAGE_SIZE = IS_FULL ? 500 : 5;
const SCHEDULED = IS_FULL ? 1_000 : 30;
const HOOK_MS = IS_FULL ? 1_800_000 : 120_000;
/** How much longer the small ones may take beside the large one, where there is time to measure it. */
const MOST_TIMES_ALONE = 2;
const LONGEST_WAIT_MS = 100;
const THIRD_MS = 20 * 60_000;
const DAY_MS = 86_400_000;

/** What a worker does at once, seen at its door to the database. */
class Watch {
  /** The most that were open or wanted at once, of all and by tenant. */
  peak = 0;
  readonly peaks = new Map<string, number>();
  readonly calls = new Map<string, number>();
  /** How long each waited for a connection, in milliseconds. */
  readonly waits: number[] = [];
  private readonly open = new Map<string, number>();

  constructor(private readonly doors: Pick<Doors, 'asWorker'>) {}

  readonly asWorker: Doors['asWorker'] = async (tenantId, inside) => {
    this.change(tenantId, 1);
    const asked = performance.now();
    try {
      return await this.doors.asWorker(tenantId, (tx) => {
        this.waits.push(performance.now() - asked);
        return inside(tx);
      });
    } finally {
      this.change(tenantId, -1);
    }
  };

  private change(tenantId: string, by: 1 | -1): void {
    const own = (this.open.get(tenantId) ?? 0) + by;
    this.open.set(tenantId, own);
    if (by === 1) this.calls.set(tenantId, (this.calls.get(tenantId) ?? 0) + 1);
    this.peaks.set(tenantId, Math.max(own, this.peaks.get(tenantId) ?? 0));
    this.peak = Math.max(
      this.peak,
      [...this.open.values()].reduce((sum, count) => sum + count, 0),
    );
  }
}

describe('nights of many tenants', () => {
  let database: TestDatabase;
  let world: NightWorld;
  let large: LearnedTenant;
  const small: LearnedTenant[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    large = await makeLearnedTenant(database, LARGE);
    while (small.length < SMALL_TENANTS) small.push(await makeLearnedTenant(database, SMALL));
    world = await openNightWorld(Promise.resolve(database));
  }, HOOK_MS);

  afterAll(() => world.close());

  /** Begins the nights of a date in this order and waits for all of them. @returns tenants as they ended, and when the last small one did */
  const nights = async (
    date: string,
    tenants: readonly LearnedTenant[],
    watch: Watch,
  ): Promise<{ ended: string[]; smallMs: number }> => {
    const taskQueue = randomUUID();
    const ended: string[] = [];
    let smallMs = 0;
    const worker = await makeWorker(world, { taskQueue, pageSize: PAGE_SIZE, doors: { asWorker: watch.asWorker } });
    const began = performance.now();
    const one = async ({ tenantId, owner }: LearnedTenant): Promise<void> => {
      const runId = await askForNight(world, owner, date);
      const workflowId = `${date}:${tenantId}`;
      const args = [{ tenantId, runId }];
      await world.engine.client.workflow.execute(NIGHTLY_WORKFLOW, { taskQueue, workflowId, args });
      ended.push(tenantId);
      if (tenantId !== large.tenantId) smallMs = performance.now() - began;
    };
    await worker.runUntil(Promise.all(tenants.map(one)));
    return { ended, smallMs };
  };

  /** The keys by which the engine is told to be fair, of what a workflow asked for. */
  const fairnessOf = async (workflowId: string): Promise<unknown[]> => {
    const { events } = await world.engine.client.workflow.getHandle(workflowId).fetchHistory();
    const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: one }) => (one ? [one] : []));
    return scheduled.map(({ priority }) => priority?.fairnessKey);
  };

  it('fault 5.8: keep a large one in one place of the worker’s, so that the small ones beside it are over before it', async () => {
    const alone = IS_FULL ? await nights('2026-11-12', small, new Watch(database.doors)) : undefined;
    const watch = new Watch(database.doors);
    const date = '2026-11-13';
    const { ended, smallMs } = await nights(date, [large, ...small], watch);
    const keys = [
      ...(await fairnessOf(`${date}:${large.tenantId}`)),
      ...(await fairnessOf(`${date}:${large.tenantId}/snapshot`)),
    ];

    const places = watch.peaks.get(large.tenantId) ?? 0;
    const times = alone === undefined ? 0 : smallMs / alone.smallMs;
    const told = alone === undefined ? '' : `, ${times.toFixed(2)} times as long as alone`;
    const pages = watch.calls.get(large.tenantId) ?? 0;
    const note = `${LARGE.toLocaleString('en')} memories beside ${SMALL_TENANTS} of ${SMALL}${told}`;
    reportFault('5.8', pages, { 'places beyond one': places - 1 }, note);
    expect(places).toBe(1);
    expect(ended).toHaveLength(SMALL_TENANTS + 1);
    expect(ended.at(-1)).toBe(large.tenantId);
    expect(keys.length).toBeGreaterThan(2);
    expect(new Set(keys)).toEqual(new Set([large.tenantId]));
    expect(times).toBeLessThanOrEqual(MOST_TIMES_ALONE);
  });

  const completedNights = (tenantIds: readonly string[]): Promise<number[]> =>
    asSuperuser(database.adminUrl, async (client) => {
      const { rows } = await client.query<{ runs: number }>(
        `select count(*)::int as runs from maintenance_run
         where tenant_id = any ($1::uuid[]) and kind = 'nightly' and status = 'completed' group by tenant_id`,
        [tenantIds],
      );
      return rows.map(({ runs }) => runs);
    });

  it('fault 5.9: are spread over an hour, and are no more at once than the worker has places when they all begin together', async () => {
    const tenantIds: string[] = [];
    while (tenantIds.length < SCHEDULED) tenantIds.push((await makeTenant(database.doors, world.operatorId)).tenantId);
    const taskQueue = randomUUID();
    const { client } = world.engine;
    const schedules = new Schedules(client, taskQueue);
    // Hours away: none falls due while this runs.
    const hour = (new Date().getUTCHours() + 6) % 24;
    const thirds = [0, 0, 0];
    for (const tenantId of tenantIds) {
      await schedules.ensure(tenantId, { hour, minute: 0, timeZone: 'UTC', paused: false });
      const { info } = await client.schedule.getHandle(scheduleIdOf(tenantId)).describe();
      const lateMs = ((info.nextActionTimes[0]?.getTime() ?? Number.NaN) - hour * 3_600_000) % DAY_MS;
      thirds[Math.floor(lateMs / THIRD_MS)] = (thirds[Math.floor(lateMs / THIRD_MS)] ?? Number.NaN) + 1;
    }

    const watch = new Watch(database.doors);
    const worker = await makeWorker(world, { taskQueue, doors: { asWorker: watch.asWorker } });
    const areDone = async (): Promise<boolean> => (await completedNights(tenantIds)).length === SCHEDULED;
    await worker.runUntil(async () => {
      for (const tenantId of tenantIds) await client.schedule.getHandle(scheduleIdOf(tenantId)).trigger();
      await untilTrue('every tenant had its night', areDone, undefined, 200, IS_FULL ? 3_600_000 : 90_000);
    });

    const twice = (await completedNights(tenantIds)).filter((runs) => runs > 1).length;
    const waits = watch.waits.sort((a, b) => a - b);
    const p95 = waits[Math.floor(waits.length * 0.95)] ?? Number.NaN;
    const note = `${watch.peak} at once of ${MAX_ACTIVITIES}, thirds of the hour ${thirds.join(', ')}, wait for a connection p95 ${p95.toFixed(0)} ms`;
    reportFault('5.9', SCHEDULED, { 'run twice': twice }, note);
    expect(twice).toBe(0);
    expect(watch.peak).toBeGreaterThan(1);
    expect(watch.peak).toBeLessThanOrEqual(MAX_ACTIVITIES);
    expect(thirds).toHaveLength(3);
    expect(Math.min(...thirds)).toBeGreaterThan(0);
    if (IS_FULL) expect(p95).toBeLessThanOrEqual(LONGEST_WAIT_MS);
  });
});
