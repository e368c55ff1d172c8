import { randomUUID } from 'node:crypto';
import type { ScheduleDescription } from '@temporalio/client';
import { NIGHTLY_WORKFLOW, scheduleIdOf } from '@tempera/platform/temporal/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createDistilSignaller,
  createNightlyStarter,
  deliverOutbox,
  reconcileTenants,
  type ReconcileTools,
  reconcileUntil,
  Schedules,
} from '../../apps/worker/src/index.js';
import { testLogger, testProcess } from './support/engine.js';
import {
  askForNight,
  makeTeam,
  makeWorker,
  type NightWorld,
  openNightWorld,
  type Team,
} from './support/night-world.js';

/** What the engine does by itself, it does within a second or so; a busy machine takes longer. */
const ENGINE = { timeout: 20_000 };

describe('the reconciler', () => {
  let world: NightWorld;
  let taskQueue: string;
  let tools: ReconcileTools;

  beforeAll(async () => {
    world = await openNightWorld();
  });

  afterAll(() => world.close());

  beforeEach(() => {
    const { client } = world.engine;
    taskQueue = randomUUID();
    tools = {
      doors: world.database.doors,
      schedules: new Schedules(client, taskQueue),
      nights: createNightlyStarter(client, taskQueue),
      signalDistil: createDistilSignaller(client, taskQueue),
      logger: testLogger,
      now: () => new Date(),
    };
  });

  const scheduleOf = ({ tenantId }: Team): Promise<ScheduleDescription> =>
    world.engine.client.schedule.getHandle(scheduleIdOf(tenantId)).describe();

  const setStatus = ({ tenantId }: Team, status: 'active' | 'suspended'): Promise<unknown> =>
    world.database.doors.asOperator(world.operatorId, (tx) =>
      tx.tenant.updateMany({ where: { id: tenantId }, data: { status } }),
    );

  const runOf = async ({ tenantId }: Team, runId: string): Promise<{ status: string } | undefined> => {
    const rows = await world.database.doors.asWorker(
      tenantId,
      (tx) => tx.$queryRaw<{ status: string }[]>`
        select status from maintenance_run where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid`,
    );
    return rows[0];
  };

  it('makes one schedule a tenant, in its time zone, that skips overlaps and makes up for missed nights', async () => {
    const team = await makeTeam(world);
    await world.database.doors.asTenant(team.owner, (tx) =>
      tx.tenant.updateMany({ where: { id: team.tenantId }, data: { timeZone: 'Asia/Tokyo' } }),
    );

    await reconcileTenants(tools);

    const { spec, policies, action, state } = await scheduleOf(team);
    expect(spec.timezone).toBe('Asia/Tokyo');
    expect(spec.calendars?.[0]).toMatchObject({ hour: [{ start: 3 }], minute: [{ start: 0 }] });
    expect(spec.jitter).toBe(3_600_000);
    expect(policies).toEqual({ overlap: 'SKIP', catchupWindow: 12 * 3_600_000, pauseOnFailure: false });
    expect(action).toMatchObject({ workflowType: NIGHTLY_WORKFLOW, args: [{ tenantId: team.tenantId }] });
    expect(state.paused).toBe(false);
  });

  it('fault 5.7: counts a night that is skipped because the one before still runs, and starts no second', async () => {
    const team = await makeTeam(world);
    await reconcileTenants(tools);
    const { overlap } = (await scheduleOf(team)).policies;
    const schedule = world.engine.client.schedule.getHandle(scheduleIdOf(team.tenantId));
    const due = (): Promise<void> => schedule.trigger(overlap);
    // As the clock would: under the policy that the schedule was made with. Nobody works on this task queue: the first night goes on until it is ended here.
    await due();
    await expect.poll(async () => (await scheduleOf(team)).info.runningActions.length, ENGINE).toBe(1);

    await due();

    await expect.poll(async () => (await scheduleOf(team)).info.numActionsSkippedOverlap, ENGINE).toBe(1);
    const { info } = await scheduleOf(team);
    expect(info.numActionsTaken).toBe(1);
    expect(info.runningActions).toHaveLength(1);
    const [running] = info.runningActions;
    await world.engine.client.workflow.getHandle(running?.workflow.workflowId ?? '').terminate();
  });

  it('changes a schedule at a second start to what is wanted by then, and makes no second one', async () => {
    const team = await makeTeam(world);
    await reconcileTenants(tools);
    await world.database.doors.asTenant(team.owner, (tx) =>
      tx.schedule.updateMany({ where: { tenantId: team.tenantId }, data: { hour: 22, minute: 30, paused: true } }),
    );

    await reconcileTenants(tools);

    const { spec, state } = await scheduleOf(team);
    expect(spec.calendars).toHaveLength(1);
    expect(spec.calendars?.[0]).toMatchObject({ hour: [{ start: 22 }], minute: [{ start: 30 }] });
    expect(state.paused).toBe(true);
  });

  it('takes the schedule of a suspended tenant away, and brings it back', async () => {
    const team = await makeTeam(world);
    await reconcileTenants(tools);
    // The list of schedules lags behind; what is wanted must not.
    await expect.poll(() => tools.schedules.list().then((list) => list.has(team.tenantId))).toBe(true);
    await setStatus(team, 'suspended');

    await reconcileTenants(tools);
    await expect(scheduleOf(team)).rejects.toThrow();
    await setStatus(team, 'active');
    await expect.poll(() => tools.schedules.list().then((list) => list.has(team.tenantId))).toBe(false);
    await reconcileTenants(tools);

    expect((await scheduleOf(team)).state.paused).toBe(false);
  });

  it('follows a change of schedule as soon as the outbox says so', async () => {
    const team = await makeTeam(world);

    // A new tenant's outbox holds the word about its schedule.
    await deliverOutbox(tools);

    expect((await scheduleOf(team)).spec.timezone).toBe('UTC');
  });

  it('starts a requested run at once, and a request told twice starts one run', async () => {
    const team = await makeTeam(world);
    const worker = await makeWorker(world, { taskQueue });
    const stop = new AbortController();
    const reconciling = reconcileUntil(stop.signal, tools, testProcess);

    await worker.runUntil(async () => {
      const runId = await askForNight(world, team.owner, '2026-11-20');
      await expect.poll(() => runOf(team, runId), { timeout: 20_000 }).toMatchObject({ status: 'completed' });
    });
    stop.abort();
    await reconciling;

    const outbox = await world.database.doors.asWorker(
      team.tenantId,
      (tx) => tx.$queryRaw<{ id: string; subjectId: string; done: boolean }[]>`
        select id, subject_id as "subjectId", done_at is not null as done from outbox
        where tenant_id = ${team.tenantId}::uuid and kind = 'maintenance.requested'`,
    );
    expect(outbox.map(({ done }) => done)).toEqual([true]);
    const [told] = outbox;
    await tools.nights.request(told?.id ?? '', { tenantId: team.tenantId, runId: told?.subjectId ?? '' });
    const executions = world.engine.client.workflow.list({ query: `WorkflowId = '${told?.id ?? ''}'` });
    const runs: string[] = [];
    for await (const { runId } of executions) runs.push(runId);
    expect(runs).toHaveLength(1);
  });

  it('keeps a request until the engine takes it', async () => {
    const team = await makeTeam(world);
    const runId = await askForNight(world, team.owner, '2026-11-20');
    const away = { ...tools, nights: { ...tools.nights, request: () => Promise.reject(new Error('away')) } };

    await deliverOutbox(away);

    const rows = await world.database.doors.asWorker(
      team.tenantId,
      (tx) => tx.$queryRaw<{ waits: boolean; error: string | null }[]>`
        select done_at is null and available_at < now() + interval '5 seconds' as waits, last_error as error from outbox
        where tenant_id = ${team.tenantId}::uuid and subject_id = ${runId}::uuid`,
    );
    expect(rows).toEqual([{ waits: true, error: 'engine-unreachable' }]);
  });

  it('starts a run anew whose workflow the engine has lost', async () => {
    const team = await makeTeam(world);
    const runId = await askForNight(world, team.owner, '2026-11-20');
    const later = new Date(Date.now() + 16 * 60_000);

    await reconcileTenants({ ...tools, now: () => later });
    const worker = await makeWorker(world, { taskQueue });
    await worker.runUntil(() =>
      expect.poll(() => runOf(team, runId), { timeout: 20_000 }).toMatchObject({ status: 'completed' }),
    );
  });
});
