import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { NIGHTLY_WORKFLOW } from '@tempera/platform/temporal/contract';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeMemory } from '../support/memories.js';
import { bundleFromSource, quietRuntime } from './support/engine.js';
import { historyNames, historyOf, readRecording, recordHistory } from './support/histories.js';
import {
  askForNight,
  makeTeam,
  makeWorker,
  type NightWorld,
  noon,
  openNightWorld,
  type Team,
} from './support/night-world.js';

const sabotaged = (name: string): Promise<WorkflowBundleOption> =>
  bundleFromSource(fileURLToPath(new URL(`./sabotage/${name}.ts`, import.meta.url)));

const replay = (workflowBundle: WorkflowBundleOption, name: string): Promise<void> => {
  const recording = readRecording(name);
  return Worker.runReplayHistory({ workflowBundle }, historyOf(recording), recording.workflowId);
};

/**
 * Records anew what the workflows go through: `RECORD_HISTORIES=1 npx vitest run --project workflows -t records`. Only for a
 * change that no night in flight can meet; else keep the old histories and add to them.
 */
const recorder = (): void => {
  it('records a night, a step that continues as new, a night that fails and one that is cancelled', async () => {
    const world = await openNightWorld();
    onTestFinished(() => world.close());
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
  });
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

if (process.env['RECORD_HISTORIES'] === '1') describe('the recorder', recorder);

describe('the workflows of today', () => {
  let today: WorkflowBundleOption;

  beforeAll(async () => {
    quietRuntime();
    today = await bundleFromSource();
  });

  it.each(historyNames())('replay the recorded history %s', async (name) => {
    await expect(replay(today, name)).resolves.toBeUndefined();
  });

  it('are nine histories strong: nights and steps from before runs had plans, and since', () => {
    const before = ['nightly', 'nightly-failed', 'step-continued', 'step-finished'];
    const since = ['planned', 'planned-cancelled', 'planned-failed', 'planned-step-continued', 'planned-step-finished'];
    expect(historyNames()).toEqual([...before, ...since].sort());
  });

  it('fail the replay once their steps are swapped, be they planned or not', async () => {
    const swapped = await sabotaged('swapped-steps');
    for (const name of ['nightly', 'planned']) {
      await expect(replay(swapped, name)).rejects.toThrow(/type of scheduled event|child workflow id/);
    }
  });

  it('fail the replay once a step does something before its pages', async () => {
    const other = await sabotaged('another-activity');
    for (const name of ['step-finished', 'planned-step-finished']) {
      await expect(replay(other, name)).rejects.toThrow(/Timer machine does not handle this event/);
    }
  });

  it('have put nothing but ids, dates and numbers into their histories', () => {
    const words = historyNames().flatMap((name) =>
      payloadsOf(readRecording(name).history).flatMap((payload) => stringsOf(payload)),
    );
    const known =
      /^(|[0-9a-f-]{36}|\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?|expire|credit|snapshot|propagate|consolidate|prune|purge|The run was stopped\.|kind:[a-z]+|nightly)$/;
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((word) => !known.test(word))).toEqual([]);
  });
});

/** Every payload of a history, decoded. */
const payloadsOf = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value.flatMap(payloadsOf);
  if (typeof value !== 'object' || value === null) return [];
  const data: unknown = Reflect.get(value, 'data');
  const metadata: unknown = Reflect.get(value, 'metadata');
  if (typeof data === 'string' && typeof metadata === 'object') {
    return [JSON.parse(Buffer.from(data, 'base64').toString('utf8'))];
  }
  return Object.values(value).flatMap(payloadsOf);
};

const stringsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
};
