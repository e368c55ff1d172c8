import { fileURLToPath } from 'node:url';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as workflows from '../../apps/worker/src/workflows/index.js';
import { bundleFromSource, quietRuntime } from './support/engine.js';
import { historyNames, historyOf, readRecording, type Recording } from './support/histories.js';
import { openNightWorld } from './support/night-world.js';
import { recordDistil } from './support/record-distil.js';
import { recordEncoderChange } from './support/record-encoder-change.js';
import { recordErasures, recordExports, recordNights } from './support/recorders.js';

const sabotaged = (name: string): Promise<WorkflowBundleOption> =>
  bundleFromSource(fileURLToPath(new URL(`./sabotage/${name}.ts`, import.meta.url)));

const replay = (workflowBundle: WorkflowBundleOption, name: string): Promise<void> => {
  const recording = readRecording(name);
  return Worker.runReplayHistory({ workflowBundle }, historyOf(recording), recording.workflowId);
};

/**
 * Records anew what workflows go through: `RECORD_HISTORIES=1 npx vitest run --project workflows -t 'records nights'`, or `'records
 * erasures'` and so on. Only for a change that nothing in flight can meet; else keep the old histories and add to them.
 */
const recorder = (): void => {
  it.each([
    ['nights', recordNights],
    ['erasures', recordErasures],
    ['exports', recordExports],
    ['changes of encoder', recordEncoderChange],
    ['distilling', recordDistil],
  ] as const)('records %s', async (_name, record) => {
    const world = await openNightWorld();
    onTestFinished(() => world.close());
    await record(world);
  });
};

if (process.env['RECORD_HISTORIES'] === '1') describe('the recorder', recorder);

describe('the workflows of today', () => {
  let today: WorkflowBundleOption;

  beforeAll(async () => {
    quietRuntime();
    today = await bundleFromSource();
  });

  it.each(historyNames())('fault 5.12: replay the recorded history %s', async (name) => {
    await expect(replay(today, name)).resolves.toBeUndefined();
  });

  it('are all recorded: nights and steps from before runs had plans, and since; erasures, exports, changes of encoder and distilling', () => {
    const before = ['nightly', 'nightly-failed', 'step-continued', 'step-finished'];
    const since = ['planned', 'planned-cancelled', 'planned-failed', 'planned-step-continued', 'planned-step-finished'];
    const erasures = ['delete-tenant', 'erase-user'].flatMap((name) => [`${name}-continued`, `${name}-finished`]);
    const exports = ['export-failed', 'export-finished'];
    expect(historyNames()).toEqual([...before, ...since, ...erasures, ...exports, 'encoder-change', 'distil'].sort());
    const recorded = new Set(historyNames().map((name) => typeOf(readRecording(name))));
    expect([...recorded].sort()).toEqual(Object.keys(workflows).sort());
  });

  it('fault 5.12: fail the replay once their steps are swapped, be they planned or not', async () => {
    const swapped = await sabotaged('swapped-steps');
    for (const name of ['nightly', 'planned']) {
      await expect(replay(swapped, name)).rejects.toThrow(/type of scheduled event|child workflow id/);
    }
  });

  it('fault 5.12: fail the replay once a step or an erasure does something before its pages', async () => {
    const other = await sabotaged('another-activity');
    for (const name of ['step-finished', 'planned-step-finished', 'erase-user-finished', 'delete-tenant-continued']) {
      await expect(replay(other, name)).rejects.toThrow(/Timer machine does not handle this event/);
    }
  });

  it('have put nothing but ids, dates and numbers into their histories', () => {
    const words = historyNames().flatMap((name) =>
      payloadsOf(readRecording(name).history).flatMap((payload) => stringsOf(payload)),
    );
    const known =
      /^(|[0-9a-f-]{36}|\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?|expire|credit|snapshot|propagate|consolidate|prune|purge|The run was stopped\.|Whoever asked for this export may not have it any more\.|wait|over|kind:[a-z]+|nightly)$/;
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((word) => !known.test(word))).toEqual([]);
  });
});

/** The workflow that a history is of. */
const typeOf = ({ history }: Recording): string | undefined =>
  historyOf({ history, workflowId: '' }).events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ??
  undefined;

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
