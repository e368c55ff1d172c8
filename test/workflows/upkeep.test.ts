import { randomUUID } from 'node:crypto';
import { AppError } from '@tempera/client-kit';
import { findTenantDeletion } from '@tempera/platform';
import { NIGHTLY_WORKFLOW, scheduleIdOf } from '@tempera/platform/temporal/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createErasureStarter,
  createDistilSignaller,
  createNightlyStarter,
  deliverOutbox,
  erasureRound,
  type ReconcileTools,
  Schedules,
  Upkeep,
} from '../../apps/worker/src/index.js';
import { asSuperuser } from '../support/cluster.js';
import { makeMemory } from '../support/memories.js';
import { testLogger, testProcess } from './support/engine.js';
import {
  askForNight,
  makeTeam,
  makeWorker,
  type NightWorld,
  openNightWorld,
  type Team,
} from './support/night-world.js';

describe('upkeep', () => {
  let world: NightWorld;
  let tools: ReconcileTools;
  let upkeep: Upkeep;
  const { signal } = new AbortController();

  beforeAll(async () => {
    world = await openNightWorld();
  });
  afterAll(() => world.close());

  beforeEach(() => {
    const { client } = world.engine;
    const taskQueue = randomUUID();
    tools = {
      doors: world.database.doors,
      schedules: new Schedules(client, taskQueue),
      nights: createNightlyStarter(client, taskQueue),
      signalDistil: createDistilSignaller(client, taskQueue),
      logger: testLogger,
      now: () => new Date(),
    };
    upkeep = new Upkeep(tools, testProcess);
  });

  const hasSchedule = async ({ tenantId }: Team): Promise<boolean> =>
    world.engine.client.schedule
      .getHandle(scheduleIdOf(tenantId))
      .describe()
      .then(
        () => true,
        () => false,
      );

  const change = ({ tenantId }: Team, status: string): Promise<unknown> =>
    world.database.doors.asOperator(
      world.operatorId,
      (tx) => tx.$queryRaw`select change_tenant_status(${tenantId}::uuid, ${status}, 'Acme')`,
    );

  const exists = async ({ tenantId }: Team): Promise<boolean> =>
    asSuperuser(world.database.adminUrl, async (client) => {
      const { rowCount } = await client.query('select from tenant where id = $1', [tenantId]);
      return rowCount === 1;
    });

  it('takes the schedule of a suspended tenant away in one round, and resuming brings it back', async () => {
    const team = await makeTeam(world);
    await deliverOutbox(tools);
    expect(await hasSchedule(team)).toBe(true);
    await change(team, 'suspended');
    await upkeep.round(signal);
    expect(await hasSchedule(team)).toBe(false);
    await change(team, 'active');
    await deliverOutbox(tools);
    expect(await hasSchedule(team)).toBe(true);
    // Between two rounds: what this process remembers of the first time must not count for the second.
    await change(team, 'suspended');
    await upkeep.round(signal);
    expect(await hasSchedule(team)).toBe(false);
  });

  it('fault 5.15: a tenant that is suspended during its run has it cancelled in one round, and nothing is written after', async () => {
    const team = await makeTeam(world);
    const { author, tenantId, projectId, owner } = team;
    for (let n = 0; n < 9; n += 1) {
      await makeMemory(world.database.doors, author, { scope: 'project', projectId, kind: 'decision' });
    }
    await deliverOutbox(tools);
    const taskQueue = randomUUID();
    const { doors } = world.database;
    let suspended: Promise<unknown> | null = null;
    const runId = await askForNight(world, owner, '2026-11-20');
    // Its pages are put off by the engine's back-off while the tenant is being suspended.
    let isAway = true;
    const failing = {
      ...doors,
      asWorker: async <T>(tenant: string, work: Parameters<typeof doors.asWorker<T>>[1]): Promise<T> => {
        const pages = suspended === null ? await pagesOf(tenantId) : 9;
        if (pages < 4) return doors.asWorker(tenant, work);
        suspended ??= change(team, 'suspended');
        await suspended;
        if (!isAway) return doors.asWorker(tenant, work);
        throw new AppError('unavailable', 'away', 'The database is away.');
      },
    };
    const worker = await makeWorker(world, { taskQueue, pageSize: 1, doors: failing });
    const handle = await world.engine.client.workflow.start(NIGHTLY_WORKFLOW, {
      ...{ taskQueue, workflowId: randomUUID(), args: [{ tenantId, runId }] },
    });
    await worker.runUntil(async () => {
      await expect.poll(() => suspended !== null, { timeout: 20_000 }).toBe(true);
      await suspended;
      const rows = await countsOf(tenantId);
      await upkeep.round(signal);
      isAway = false;
      await expect(handle.result()).rejects.toThrow();
      expect((await handle.describe()).status.name).toMatch(/^(?:CANCELLED|FAILED)$/);
      expect(await countsOf(tenantId)).toEqual(rows);
    });
    expect(await hasSchedule(team)).toBe(false);
    const status = await asSuperuser(
      world.database.adminUrl,
      async (client) =>
        (
          await client.query('select status, stopped_at is not null as told from maintenance_run where id = $1', [
            runId,
          ])
        ).rows,
    );
    expect(status).toEqual([{ status: 'cancelled', told: true }]);
  });

  /** Pages that are done, as the superuser sees them. */
  const pagesOf = (tenantId: string): Promise<number> =>
    asSuperuser(world.database.adminUrl, async (client) => {
      const { rows } = await client.query<{ count: number }>(
        'select count(*)::int as count from maintenance_step where tenant_id = $1',
        [tenantId],
      );
      return rows[0]?.count ?? 0;
    });

  /** Everything that a step could have written. */
  const countsOf = (tenantId: string): Promise<unknown> =>
    asSuperuser(world.database.adminUrl, async (client) => {
      const { rows } = await client.query<{ all: unknown }>(
        `select jsonb_build_array((select jsonb_agg(s order by s.step, s.page) from maintenance_step s where s.tenant_id = $1),
           (select jsonb_agg(s order by s.memory_id) from snapshot s where s.tenant_id = $1),
           (select jsonb_agg(s order by s.memory_id) from memory_stat s where s.tenant_id = $1)) as all`,
        [tenantId],
      );
      return rows[0]?.all;
    });

  it('fault 5.15: erases a deleted tenant with its schedule, and no other', async () => {
    const [doomed, neighbour] = [await makeTeam(world), await makeTeam(world)];
    await deliverOutbox(tools);
    await change(doomed, 'deleted');
    await upkeep.round(signal);
    expect(await hasSchedule(doomed)).toBe(false);
    const taskQueue = randomUUID();
    const worker = await makeWorker(world, { taskQueue, callMs: 0 });
    await worker.runUntil(async () => {
      await erasureRound(world.database.doors, createErasureStarter(world.engine.client, taskQueue));
      await world.engine.client.workflow.getHandle(`deletion:${doomed.tenantId}`).result();
    });
    expect(await exists(doomed)).toBe(false);
    const receipt = await world.database.doors.asOperator(world.operatorId, (tx) =>
      findTenantDeletion(tx, doomed.tenantId),
    );
    expect(receipt).toMatchObject({ status: 'completed', traces: {}, counts: { app_user: 3, project: 1 } });
    expect(await exists(neighbour)).toBe(true);
    expect(await hasSchedule(neighbour)).toBe(true);
  });

  it('lets a memory stand again once what took its place has expired', async () => {
    const { author } = await makeTeam(world);
    const older = await makeMemory(world.database.doors, author);
    const newer = await makeMemory(world.database.doors, author);
    const rows = await asSuperuser(world.database.adminUrl, async (client) => {
      const set = (column: string, id: string, value: string): Promise<unknown> =>
        client.query(`update memory set ${column} = $2 where id = $1`, [id, value]);
      await set('superseded_by', older, newer);
      // Time passes without a statement that says so.
      await client.query('alter table memory disable trigger user');
      await set('expires_at', newer, '2026-01-01');
      await set('superseded_until', older, '2026-01-01');
      await client.query('alter table memory enable trigger user');
      await upkeep.round(signal);
      return (await client.query('select superseded_by, valid_to from memory where id = $1', [older])).rows;
    });
    expect(rows).toEqual([{ superseded_by: null, valid_to: null }]);
  });

  it('shows a sign of life in each round, one row a process', async () => {
    await upkeep.round(signal);
    await upkeep.round(signal);
    const rows = await asSuperuser(world.database.adminUrl, async (client) => {
      const found = await client.query<{ version: string }>('select version from instance_beat');
      return found.rows;
    });
    expect(rows).toEqual([{ version: 'test' }]);
  });
});
