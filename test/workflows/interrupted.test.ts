import { randomUUID } from 'node:crypto';
import type { Worker } from '@temporalio/worker';
import type { Doors, Identity } from '@tempera/platform';
import { NIGHTLY_WORKFLOW } from '@tempera/platform/temporal/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askForNight,
  joinNeighbours,
  learned,
  type Learned,
  makeTeam,
  makeWorker,
  night,
  type NightWorld,
  noon,
  openNightWorld,
  proveUseful,
  type Team,
} from './support/night-world.js';

const MEMORIES = 23;
/** Small pages, so that a few memories are many pages. */
const PAGE_SIZE = 8;

/** The same id for the same number, so that two tenants can be compared memory by memory. */
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const minute = (count: number): Date => new Date(noon(1).getTime() + count * 60_000);

describe('an interrupted night', () => {
  let world: NightWorld;

  beforeAll(async () => {
    world = await openNightWorld();
  });

  afterAll(() => world.close());

  /** A tenant with a chain of episodes, some proved useful, each the neighbour of the next. */
  const makeHistory = async (): Promise<Team> => {
    const team = await makeTeam(world);
    const { tenantId, projectId, author } = team;
    const draft = {
      tenantId,
      ownerId: author.userId,
      projectId,
      scope: 'project',
      kind: 'episode',
      title: 't',
      text: 't',
    };
    await world.database.doors.asTenant(author, (tx) =>
      tx.memory.createMany({
        data: Array.from({ length: MEMORIES }, (_, number) => ({
          ...draft,
          id: idOf(number),
          outcome: number % 3 === 0 ? 'success' : 'failure',
          validFrom: minute(number * 10),
          startedAt: minute(number * 10 - 5),
          endedAt: minute(number * 10),
        })),
      }),
    );
    for (let number = 1; number < MEMORIES; number += 1) {
      await joinNeighbours(world, tenantId, idOf(number), idOf(number - 1), 0.6 + number / 100);
    }
    for (const number of [2, 9, 17]) await proveUseful(world, team.reader, idOf(number), noon(10));
    return team;
  };

  const state = async ({ tenantId }: Team): Promise<Learned[]> => [...(await learned(world, tenantId)).values()];

  const stepsOf = async ({ tenantId }: Team): Promise<{ step: string; pages: number }[]> =>
    world.database.doors.asWorker(
      tenantId,
      (tx) => tx.$queryRaw<{ step: string; pages: number }[]>`
        select step, count(*)::int as pages from maintenance_step where tenant_id = ${tenantId}::uuid
        group by step order by step`,
    );

  /** Doors whose worker transactions fail just before they would commit, as often as `failures` says. */
  const failingDoors = (failures: () => boolean): Pick<Doors, 'asWorker' | 'asText'> => ({
    asText: world.database.doors.asText,
    asWorker: (tenantId, work) =>
      world.database.doors.asWorker(tenantId, async (tx) => {
        const result = await work(tx);
        if (failures()) throw new Error('the power went out');
        return result;
      }),
  });

  const start = async (owner: Identity, taskQueue: string, runDate: string): Promise<() => Promise<unknown>> => {
    const runId = await askForNight(world, owner, runDate);
    const handle = await world.engine.client.workflow.start(NIGHTLY_WORKFLOW, {
      taskQueue,
      workflowId: randomUUID(),
      args: [{ tenantId: owner.tenantId, runId }],
    });
    return () => handle.result();
  };

  it('ends as an undisturbed one, each page once, though pages fail after their work was done', async () => {
    const [calm, disturbed] = [await makeHistory(), await makeHistory()];
    const report = await night(world, calm.owner, '2026-11-12', { pageSize: PAGE_SIZE });
    let transactions = 0;
    // One in each activity: at the beginning, in a page of each step, and while the graph is read.
    const failing = new Set([1, 4, 8, 14, 24]);
    const doors = failingDoors(() => failing.delete((transactions += 1)));

    const troubled = await night(world, disturbed.owner, '2026-11-12', { pageSize: PAGE_SIZE, doors });

    expect(failing.size).toBe(0);
    expect(troubled).toEqual(report);
    expect(await state(disturbed)).toEqual(await state(calm));
    expect(await stepsOf(disturbed)).toEqual(await stepsOf(calm));
    expect(report).toMatchObject({ snapshots: MEMORIES, sources: 3 });
    expect(report.credited).toBeGreaterThan(20);
    expect(report.touched).toBeGreaterThan(8);
  });

  it('is finished by another worker when the one that began it is gone', async () => {
    const [calm, disturbed] = [await makeHistory(), await makeHistory()];
    await night(world, calm.owner, '2026-11-12', { pageSize: PAGE_SIZE });
    const taskQueue = randomUUID();
    let transactions = 0;
    const workers: Worker[] = [];
    const doors = failingDoors(() => {
      transactions += 1;
      // In the middle of the snapshot: the page is lost, and so is whoever worked on it.
      if (transactions === 7) workers[0]?.shutdown();
      return transactions >= 7;
    });
    const result = await start(disturbed.owner, taskQueue, '2026-11-12');
    const first = await makeWorker(world, { taskQueue, pageSize: PAGE_SIZE, doors });
    workers.push(first);
    await first.run();
    const halfway = await stepsOf(disturbed);

    const second = await makeWorker(world, { taskQueue, pageSize: PAGE_SIZE });
    await second.runUntil(result());

    expect(halfway.map(({ step }) => step)).not.toContain('propagate');
    expect(await state(disturbed)).toEqual(await state(calm));
    expect(await stepsOf(disturbed)).toEqual(await stepsOf(calm));
  });

  it('ends as an undisturbed one, each page once, when two workflows race through one run', async () => {
    const [calm, raced] = [await makeHistory(), await makeHistory()];
    const report = await night(world, calm.owner, '2026-11-12', { pageSize: PAGE_SIZE });
    const taskQueue = randomUUID();
    const results = [
      await start(raced.owner, taskQueue, '2026-11-12'),
      await start(raced.owner, taskQueue, '2026-11-12'),
    ];

    const worker = await makeWorker(world, { taskQueue, pageSize: 1 });
    const reports = await worker.runUntil(Promise.all(results.map((result) => result())));

    expect(reports).toEqual([report, report]);
    expect(await state(raced)).toEqual(await state(calm));
  });

  it('writes nothing into a tenant that was suspended meanwhile', async () => {
    const team = await makeHistory();
    const taskQueue = randomUUID();
    const result = await start(team.owner, taskQueue, '2026-11-12');
    const setStatus = (status: 'active' | 'suspended'): Promise<unknown> =>
      world.database.doors.asOperator(world.operatorId, (tx) =>
        tx.tenant.updateMany({ where: { id: team.tenantId }, data: { status } }),
      );
    await setStatus('suspended');

    const worker = await makeWorker(world, { taskQueue });
    await expect(worker.runUntil(result())).rejects.toThrow();

    await setStatus('active');
    expect(await stepsOf(team)).toEqual([]);
  });
});
