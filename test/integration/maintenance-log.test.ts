import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createLogger } from '@tempera/platform';
import { MAINTENANCE_STEPS, type RunRef } from '@tempera/platform/temporal/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../apps/worker/src/activities/create-activities.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { makeOperator, makeProject, makeTenant, type Person } from '../support/people.js';

const SECRET = 'the launch code is mango';

describe('what the worker logs of a maintenance run', () => {
  let database: TestDatabase;
  let owner: Person;
  const lines: string[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    const made = await makeTenant(database.doors, await makeOperator(database));
    owner = made.owner;
    const projectId = await makeProject(database.doors, owner, 'shop');
    for (const n of [1, 2, 3]) {
      await makeMemory(database.doors, owner, { scope: 'project', projectId, text: `${SECRET} ${n}` });
    }
  });
  afterAll(() => database.close());

  const activities = (): ReturnType<typeof createActivities> =>
    createActivities({
      doors: database.doors,
      now: () => new Date(),
      pageSize: 2,
      callMs: 30_000,
      logger: createLogger({ name: 'worker', level: 'info', destination: { write: (line) => void lines.push(line) } }),
      newId: randomUUID,
    });
  const begin = async (environment: MockActivityEnvironment, dueAt: string): Promise<RunRef> =>
    (await environment.run(activities().beginRun, { tenantId: owner.tenantId, dueAt })) as RunRef;
  const logged = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('is that it began, and what it came to: ids, pages, numbers and how long it took, and no contents', async () => {
    const { runPages, finishRun } = activities();
    const environment = new MockActivityEnvironment();
    const run = await begin(environment, '2026-11-29T03:00:00Z');
    const { tenantId, runId, runDate } = run;
    for (const step of MAINTENANCE_STEPS) {
      await environment.run(runPages, { ...run, step, cursor: { page: 0, after: null } });
    }
    await finishRun(run);

    const [began, completed] = logged();
    expect(began).toMatchObject({ tenantId, runId, runDate, msg: 'a maintenance run began' });
    expect(completed).toMatchObject({
      ...{ tenantId, runId, runDate },
      msg: 'a maintenance run was completed',
      pages: { expire: 1, credit: 1, snapshot: 2, propagate: 2, prune: 2 },
      snapshots: 3,
      credited: 0,
    });
    expect(completed?.['durationMs']).toEqual(expect.any(Number));
    expect(lines.join('')).not.toContain('mango');
  });

  it('is why it failed, with the same ids', async () => {
    lines.length = 0;
    const { failRun } = activities();
    const run = await begin(new MockActivityEnvironment(), '2026-11-30T03:00:00Z');
    const { tenantId, runId, runDate } = run;
    await failRun({ ...run, failure: 'The database was away.' });
    expect(logged()[1]).toMatchObject({
      ...{ tenantId, runId, runDate },
      ...{ failure: 'The database was away.', pages: {}, level: 40 },
    });
  });
});
