import { isAppError } from '@tempera/client-kit';
import { holdRun, recordChanges, sqlStateOf } from '@tempera/platform';
import type { StepCursor } from '@tempera/platform/temporal/contract';
import { attempt, type NightlyTools, type PageFault, type PageTask } from './page.js';

/**
 * Does a page whose work failed: finds the memories that it fails on, by halves and without leaving a trace, notes them and
 * does the page without them. Where no single memory is to blame, the fault stands.
 * @throws the cause of the fault
 */
export const setAside = async (tools: NightlyTools, task: PageTask, fault: PageFault): Promise<StepCursor | null> => {
  const { run, step, cursor, work } = task;
  const span = { after: cursor.after, limit: tools.pageSize, without: [] };
  const { ids: all, after } = await tools.doors.asWorker(run.tenantId, (tx) => work.memories(tx, run, span));
  const poisonous = await findPoisonous(tools, task, all, all);
  if (poisonous.size === 0) throw fault.cause;
  const without = [...poisonous.keys()];
  const named = { tenantId: run.tenantId, runId: run.runId, step };
  for (const [memoryId, cause] of poisonous) {
    tools.logger.error({ err: cause, ...named, memoryId }, 'a step cannot work on a memory and goes on without it');
  }
  return attempt(tools, task, { without, limit: all.length - without.length }, async (tx, { report }) => {
    await recordChanges(
      tx,
      run,
      step,
      [...poisonous].map(([memoryId, cause]) => ({
        ...{ memoryId, action: 'set-aside' as const, intoId: null },
        reasons: [reasonOf(cause)],
      })),
    );
    // The page ends where it would have ended, so that no memory is met twice or left out.
    return { report: { ...report, setAside: without.length }, after };
  });
};

/** Those of some memories on which the work fails each by itself, with the error. */
const findPoisonous = async (
  tools: NightlyTools,
  task: PageTask,
  all: readonly string[],
  suspects: readonly string[],
): Promise<Map<string, unknown>> => {
  task.beat();
  const error = await tryOut(tools, task, all, suspects);
  const [only, another] = suspects;
  if (error === null || only === undefined) return new Map();
  if (another === undefined) return new Map([[only, error]]);
  const half = Math.ceil(suspects.length / 2);
  const first = await findPoisonous(tools, task, all, suspects.slice(0, half));
  return new Map([...first, ...(await findPoisonous(tools, task, all, suspects.slice(half)))]);
};

class TriedOut extends Error {}

/** What the work of a page throws when it is of these memories alone; null where it does not. It is taken back in any case. */
const tryOut = async (
  { doors }: NightlyTools,
  { run, cursor, work }: PageTask,
  all: readonly string[],
  some: readonly string[],
): Promise<unknown> => {
  const chosen = new Set(some);
  const without = all.filter((id) => !chosen.has(id));
  try {
    const span = { after: cursor.after, limit: some.length, without };
    const page = await work.prepare(span);
    await doors.asWorker(run.tenantId, async (tx) => {
      await holdRun(tx, run);
      await page(tx, run, span);
      throw new TriedOut();
    });
    return null;
  } catch (error) {
    if (error instanceof TriedOut) return null;
    if (isAppError(error) && (error.kind === 'unavailable' || error.code === 'run-ended')) throw error;
    return error;
  }
};

/** A code, never a text that could hold what people wrote. */
const reasonOf = (cause: unknown): string => (isAppError(cause) ? cause.code : (sqlStateOf(cause) ?? 'internal'));
