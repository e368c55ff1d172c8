import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker, WorkflowBundleOption } from '@temporalio/worker';
import { type Identity, requestRun } from '@tempera/platform';
import { type MaintenanceReport, NIGHTLY_WORKFLOW, type RunKind } from '@tempera/platform/temporal/contract';
import { type ActivityDependencies, createWorker, type WorkerParts } from '../../../apps/worker/src/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { castVote, makeRetrieval } from '../../support/memories.js';
import { addMember, makeOperator, makePerson, makeProject, makeTenant, type Person } from '../../support/people.js';
import { bundleFromSource, startEngine, testLogger } from './engine.js';

/** A database, a workflow engine and the workflows: what a night needs. */
export interface NightWorld {
  readonly database: TestDatabase;
  readonly engine: TestWorkflowEnvironment;
  readonly workflowBundle: WorkflowBundleOption;
  readonly operatorId: string;
  readonly close: () => Promise<void>;
}

/**
 * Opens a world of a suite's own; close it in `afterAll`.
 * @param opened its database; default: a clone of the migrated template
 */
export const openNightWorld = async (opened: Promise<TestDatabase> = openTestDatabase()): Promise<NightWorld> => {
  const [database, workflowBundle] = await Promise.all([opened, bundleFromSource()]);
  const operatorId = await makeOperator(database);
  // Last, since it is a process of its own: nothing that can fail comes after it.
  const engine = await startEngine();
  const close = async (): Promise<void> => {
    await engine.teardown();
    await database.close();
  };
  return { database, engine, workflowBundle, operatorId, close };
};

/** A tenant with a project and two people who work in it. */
export interface Team {
  readonly tenantId: string;
  readonly projectId: string;
  readonly owner: Person;
  readonly author: Person;
  readonly reader: Person;
}

/** Makes a team in a tenant of its own. */
export const makeTeam = async ({ database: { doors }, operatorId }: NightWorld): Promise<Team> => {
  const { owner, tenantId } = await makeTenant(doors, operatorId);
  const projectId = await makeProject(doors, owner, 'shared');
  const author = await makePerson(doors, owner, 'author');
  const reader = await makePerson(doors, owner, 'reader');
  for (const person of [author, reader]) await addMember(doors, owner, projectId, person.userId);
  return { tenantId, projectId, owner, author, reader };
};

/** Noon of a day of November 2026, UTC. */
export const noon = (day: number): Date => new Date(Date.UTC(2026, 10, day, 12));

export type WorkerOverrides = Partial<Pick<ActivityDependencies, 'pageSize' | 'callMs'>> & {
  readonly doors?: Partial<WorkerParts['doors']>;
  readonly taskQueue: string;
};

/** A worker as the program makes it, on a task queue of its own. */
export const makeWorker = (
  { database, engine, workflowBundle }: NightWorld,
  overrides: WorkerOverrides,
): Promise<Worker> =>
  createWorker({
    now: () => new Date(),
    pageSize: 500,
    callMs: 30_000,
    logger: testLogger,
    newId: randomUUID,
    connection: engine.nativeConnection,
    namespace: engine.namespace ?? 'default',
    workflowBundle,
    ...overrides,
    doors: { ...database.doors, ...overrides.doors },
  });

/** Asks for a night of a date, as the owner would. */
export const askForNight = async (
  { database }: NightWorld,
  owner: Identity,
  runDate: string,
  kind: RunKind = 'nightly',
  isDry = false,
): Promise<string> => {
  const request = { tenantId: owner.tenantId, requestedBy: owner.userId, kind, isDry, runDate, at: new Date() };
  const { run } = await database.doors.asTenant(owner, (tx) =>
    requestRun(tx, { ...request, runId: randomUUID(), outboxId: randomUUID() }),
  );
  return run.id;
};

/** Runs one night of a date to its end. */
export const night = async (
  world: NightWorld,
  owner: Identity,
  runDate: string,
  {
    kind,
    isDry,
    ...overrides
  }: Omit<WorkerOverrides, 'taskQueue'> & {
    readonly kind?: RunKind;
    readonly isDry?: boolean;
  } = {},
): Promise<MaintenanceReport> => {
  const taskQueue = randomUUID();
  const runId = await askForNight(world, owner, runDate, kind, isDry);
  const worker = await makeWorker(world, { ...overrides, taskQueue });
  return worker.runUntil(
    world.engine.client.workflow.execute<(args: unknown) => Promise<MaintenanceReport>>(NIGHTLY_WORKFLOW, {
      taskQueue,
      workflowId: randomUUID(),
      args: [{ tenantId: owner.tenantId, runId }],
    }),
  );
};

/** The learned side of a memory, as the nightly role sees it. */
export interface Learned {
  readonly id: string;
  readonly evidence: number;
  readonly credit: number;
  readonly propagated: number;
  readonly reached: number;
  readonly lent: number;
  readonly lentFrom: string | null;
  readonly propagatedOn: string | null;
}

/** What the tenant's memories have learned, by id. */
export const learned = async ({ database }: NightWorld, tenantId: string): Promise<Map<string, Learned>> => {
  const rows = await database.doors.asWorker(
    tenantId,
    (tx) => tx.$queryRaw<Learned[]>`
      select memory_id as id, evidence, credit, propagated, reached, lent, lent_from as "lentFrom",
        propagated_on::text as "propagatedOn"
      from memory_stat where tenant_id = ${tenantId}::uuid order by memory_id`,
  );
  return new Map(rows.map((row) => [row.id, row]));
};

/** Joins two memories as neighbours, as a capture does. */
export const joinNeighbours = (
  { database }: NightWorld,
  tenantId: string,
  a: string,
  b: string,
  weight: number,
): Promise<unknown> =>
  database.doors.asWorker(
    tenantId,
    (tx) => tx.$executeRaw`insert into link (tenant_id, from_id, to_id, kind, weight)
      values (${tenantId}::uuid, ${a}::uuid, ${b}::uuid, 'neighbour', ${weight}::float8)`,
  );

/** Makes a memory a source: asked for on two days and found helpful on the second. */
export const proveUseful = async (
  { database }: NightWorld,
  voter: Identity,
  memoryId: string,
  at: Date,
): Promise<void> => {
  const dayBefore = new Date(at.getTime() - 86_400_000);
  await makeRetrieval(database.doors, voter, [memoryId], { at: dayBefore });
  const retrievalId = await makeRetrieval(database.doors, voter, [memoryId], { at });
  await castVote(database.doors, voter, memoryId, true, { retrievalId, at });
};
