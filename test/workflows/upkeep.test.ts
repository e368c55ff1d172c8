import { randomUUID } from 'node:crypto';
import { scheduleIdOf } from '@tempera/platform/temporal/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createNightlyStarter,
  deliverOutbox,
  type ReconcileTools,
  Schedules,
  Upkeep,
} from '../../apps/worker/src/index.js';
import { asSuperuser } from '../support/cluster.js';
import { makeMemory } from '../support/memories.js';
import { testLogger, testProcess } from './support/engine.js';
import { makeTeam, type NightWorld, openNightWorld, type Team } from './support/night-world.js';

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

  it('fault 5.15: erases a deleted tenant with its schedule, and no other', async () => {
    const [doomed, neighbour] = [await makeTeam(world), await makeTeam(world)];
    await deliverOutbox(tools);
    await change(doomed, 'deleted');
    await upkeep.round(signal);
    expect(await exists(doomed)).toBe(false);
    expect(await hasSchedule(doomed)).toBe(false);
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
