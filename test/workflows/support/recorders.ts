import { randomUUID } from 'node:crypto';
import {
  DELETION_WORKFLOW,
  type Doors,
  ERASURE_WORKFLOW,
  EXPORT_WORKFLOW,
  insertExport,
  requestErasure,
} from '@tempera/platform';
import { NIGHTLY_WORKFLOW } from '@tempera/platform/temporal/contract';
import { makeMemory } from '../../support/memories.js';
import { recordHistory } from './histories.js';
import { askForNight, makeTeam, makeWorker, type NightWorld, noon, type Team } from './night-world.js';

/** A night, a step that continues as new, a night that fails and one that is cancelled. */
export const recordNights = async (world: NightWorld): Promise<void> => {
  const { client } = world.engine;
  const team = await makeTeam(world);
  for (let count = 0; count < 11; count += 1) {
    await makeMemory(world.database.doors, team.author, { endedAt: noon(1), kind: 'decision' });
  }
  const taskQueue = randomUUID();
  const worker = await makeWorker(world, { taskQueue, pageSize: 1, callMs: 0 });
  const start = async (tenantId: string): Promise<string> => {
    const workflowId = randomUUID();
    const runId = tenantId === team.tenantId ? await askForNight(world, team.owner, '2026-11-20') : randomUUID();
    const args = [{ tenantId, runId }];
    await client.workflow.start(NIGHTLY_WORKFLOW, { taskQueue, workflowId, args });
    return workflowId;
  };

  await worker.runUntil(async () => {
    const nightId = await start(team.tenantId);
    await client.workflow.getHandle(nightId).result();
    await recordHistory('planned', client.workflow.getHandle(nightId));
    const executions = client.workflow.list({ query: `WorkflowId = '${nightId}/snapshot'` });
    for await (const { runId, status } of executions) {
      const name = status.name === 'CONTINUED_AS_NEW' ? 'planned-step-continued' : 'planned-step-finished';
      await recordHistory(name, client.workflow.getHandle(`${nightId}/snapshot`, runId));
    }
    const failedId = await start(randomUUID());
    await client.workflow
      .getHandle(failedId)
      .result()
      .catch(() => undefined);
    await recordHistory('planned-failed', client.workflow.getHandle(failedId));
  });
  await recordCancelled(world, team);
};

/** A night that is cancelled while it goes through its pages. */
const recordCancelled = async (world: NightWorld, team: Team): Promise<void> => {
  const [taskQueue, workflowId] = [randomUUID(), randomUUID()];
  const { client } = world.engine;
  const { doors } = world.database;
  const runId = await askForNight(world, team.owner, '2026-11-21');
  let transactions = 0;
  const cancelling = {
    ...doors,
    asWorker: async <T>(tenantId: string, work: Parameters<typeof doors.asWorker<T>>[1]): Promise<T> => {
      transactions += 1;
      if (transactions === 12) await client.workflow.getHandle(workflowId).cancel();
      return doors.asWorker(tenantId, work);
    },
  };
  const worker = await makeWorker(world, { taskQueue, pageSize: 1, callMs: 0, doors: cancelling });
  await client.workflow.start(NIGHTLY_WORKFLOW, { taskQueue, workflowId, args: [{ tenantId: team.tenantId, runId }] });
  const handle = client.workflow.getHandle(workflowId);
  await worker.runUntil(handle.result().catch(() => undefined));
  await recordHistory('planned-cancelled', handle);
};

/** Calls of one execution of a workflow; one more continues it as new. */
const CALLS = 50;

/** The erasure of a person and that of a tenant, each with an execution that continues as new. */
export const recordErasures = async (world: NightWorld): Promise<void> => {
  const { doors } = world.database;
  const [kept, gone] = [await makeTeam(world), await makeTeam(world)];
  await makeMemory(doors, kept.author, { text: 'private' });
  const wish = { userId: kept.author.userId, choice: 'keep', toUserId: null } as const;
  const erasureId = await doors.asTenant(kept.owner, (tx) => requestErasure(tx, wish));
  await doors.asOperator(
    world.operatorId,
    (tx) => tx.$queryRaw`
      select change_tenant_status(t.id, 'deleted', t.name) from list_tenants(${gone.tenantId}::uuid, null, null, '', null, 1) t`,
  );
  const taskQueue = randomUUID();
  // Batches with nothing in them: a history of real ones would look the same, and need rows by the ten thousand.
  let left = CALLS;
  const asWorker: Doors['asWorker'] = async (tenantId, inside) =>
    left-- > 0 ? (false as never) : doors.asWorker(tenantId, inside);
  let batches = CALLS;
  const deleteTenant: Doors['asSystem']['deleteTenant'] = async (tenantId, limit) =>
    batches-- > 0 ? { removed: 1, finished: false } : doors.asSystem.deleteTenant(tenantId, limit);
  const asSystem = { ...doors.asSystem, deleteTenant };
  const worker = await makeWorker(world, { taskQueue, callMs: 0, doors: { asWorker, asSystem } });
  await worker.runUntil(async () => {
    const { tenantId } = kept;
    await recordContinued(world, taskQueue, {
      workflow: ERASURE_WORKFLOW,
      name: 'erase-user',
      ref: { tenantId, erasureId },
    });
    const ref = { tenantId: gone.tenantId };
    await recordContinued(world, taskQueue, { workflow: DELETION_WORKFLOW, name: 'delete-tenant', ref });
  });
};

interface Recorded {
  readonly workflow: string;
  readonly name: string;
  readonly ref: object;
}

/** Lets a workflow run to its end and records each of its executions. */
const recordContinued = async (
  { engine: { client } }: NightWorld,
  taskQueue: string,
  { workflow, name, ref }: Recorded,
): Promise<void> => {
  const workflowId = randomUUID();
  const first = await client.workflow.start(workflow, { taskQueue, workflowId, args: [ref] });
  await first.result();
  await recordHistory(`${name}-continued`, client.workflow.getHandle(workflowId, first.firstExecutionRunId));
  await recordHistory(`${name}-finished`, client.workflow.getHandle(workflowId));
};

/** An export that is written, and one that nobody may have. */
export const recordExports = async (world: NightWorld): Promise<void> => {
  const { client } = world.engine;
  const { tenantId, author } = await makeTeam(world);
  for (let count = 0; count < 3; count += 1)
    await makeMemory(world.database.doors, author, { text: `private ${count}` });
  const order = { tenantId, id: randomUUID(), requestedBy: author.userId, kind: 'mine', projectId: null } as const;
  await world.database.doors.asTenant(author, (tx) => insertExport(tx, order));
  const [wanted] = await world.database.doors.asSystem.listWantedExports(1);
  const taskQueue = randomUUID();
  const worker = await makeWorker(world, { taskQueue, callMs: 0 });
  await worker.runUntil(async () => {
    for (const [name, ref] of [
      ['export-finished', wanted],
      ['export-failed', { ...wanted, exportId: randomUUID() }],
    ] as const) {
      const workflowId = randomUUID();
      await client.workflow.start(EXPORT_WORKFLOW, { taskQueue, workflowId, args: [ref] });
      const handle = client.workflow.getHandle(workflowId);
      await handle.result().catch(() => undefined);
      await recordHistory(name, handle);
    }
  });
};
