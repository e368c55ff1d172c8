import { Context } from '@temporalio/activity';
import { beginRun, completeRun, failRun, summariseRun } from '@tempera/platform';
import type { MaintenanceReport, RunRef, StepArguments, StepCursor } from '@tempera/platform/temporal/contract';
import type { NightlyTools } from '../nightly/page.js';
import { resumeStep, runPage } from '../nightly/run-page.js';
import { openStep } from '../nightly/steps.js';
import { guardedBy } from './guarded.js';
import type { BeginRunArguments, FailRunArguments, MaintenanceActivities } from './maintenance-activities.js';
import { logRun } from './run-log.js';

export interface ActivityDependencies extends NightlyTools {
  /** After this long a call begins no further page; far below its time-out, because what it prepares takes time too. */
  readonly callMs: number;
  readonly newId: () => string;
}

/** The activities of the nightly workflow, over one set of doors. */
export const createActivities = (dependencies: ActivityDependencies): MaintenanceActivities => {
  const guarded = guardedBy(dependencies);
  return {
    beginRun: guarded((args) => begin(dependencies, args)),
    runPages: guarded((args) => runPages(dependencies, args, currentBeat())),
    finishRun: guarded((run) => finish(dependencies, run)),
    failRun: guarded((args) => fail(dependencies, args)),
  };
};

const begin = async (
  { doors, now, newId, logger }: ActivityDependencies,
  { dueAt, ...args }: BeginRunArguments,
): Promise<RunRef> => {
  const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
  const beginning = { ...args, dueAt: new Date(dueAt), newRunId: newId(), workflowId, at: now() };
  const run = await doors.asWorker(args.tenantId, (tx) => beginRun(tx, beginning));
  logRun.began(logger, run);
  return run;
};

const finish = async ({ doors, now, logger }: ActivityDependencies, run: RunRef): Promise<MaintenanceReport> => {
  const { report, summary } = await doors.asWorker(run.tenantId, async (tx) => ({
    report: await completeRun(tx, run, now()),
    summary: await summariseRun(tx, run),
  }));
  logRun.completed(logger, run, report, summary);
  return report;
};

const fail = async (
  { doors, now, logger }: ActivityDependencies,
  { failure, ...run }: FailRunArguments,
): Promise<void> => {
  const summary = await doors.asWorker(run.tenantId, async (tx) => {
    await failRun(tx, run, failure, now());
    return summariseRun(tx, run);
  });
  logRun.failed(logger, run, failure, summary);
};

/**
 * How a long activity shows that it lives, with the place it has got to, and learns that it should stop.
 * @throws CancelledFailure when it was cancelled or its worker is shutting down
 */
type Beat = (cursor: StepCursor | null) => void;

const currentBeat = (): Beat => {
  const context = Context.current();
  return (cursor) => {
    context.cancellationSignal.throwIfAborted();
    context.heartbeat(cursor);
  };
};

const runPages = async (
  tools: NightlyTools & Pick<ActivityDependencies, 'callMs'>,
  { step, cursor: start, ...run }: StepArguments,
  beat: Beat,
): Promise<StepCursor | null> => {
  const endsAt = tools.now().getTime() + tools.callMs;
  let cursor = await resumeStep(tools, run, step, start);
  beat(cursor);
  if (cursor === null) return null;
  const show = (): void => beat(cursor);
  const work = await openStep(step, { tools, run, beat: show });
  do {
    cursor = await runPage(tools, { run, step, cursor, work, beat: show });
    beat(cursor);
  } while (cursor !== null && tools.now().getTime() < endsAt);
  return cursor;
};
