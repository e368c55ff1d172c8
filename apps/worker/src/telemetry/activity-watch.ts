import type { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, ActivityInterceptors } from '@temporalio/worker';
import { beginSpan, counter, durations, endSpan, isTracing, withinSpan, withRequestId } from '@tempera/platform';

const activitySeconds = durations(
  'tempera_activity_duration_seconds',
  'Calls of activities, by what they do and how they ended; a step of a night has several.',
  ['activity', 'step', 'outcome'],
);
const runs = counter('tempera_runs_total', 'Runs of maintenance that ended.', ['kind', 'outcome']);

/** The two that end a run, each in its way. */
const ENDS: Readonly<Record<string, string>> = { finishRun: 'completed', failRun: 'failed' };

/** A word of ours out of an argument: a step or a kind of run, as the contract with the engine has them. */
const wordOf = (args: unknown, name: string, missing: string): string => {
  const word: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, name) : undefined;
  return typeof word === 'string' && /^[a-z-]{1,30}$/.test(word) ? word : missing;
};

/** By the run where there is one, so that its pages, log lines and statements are found together. */
const requestIdOf = (args: unknown, { info }: Context): string => {
  const runId: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'runId') : undefined;
  return `run-${typeof runId === 'string' ? runId : (info.workflowExecution?.runId ?? 'none')}`.slice(0, 55);
};

/** Counts, times and traces each activity, and gives all that it does the name of its run. */
export const activityWatch = (context: Context): ActivityInterceptors => {
  const inbound: ActivityInboundCallsInterceptor = {
    execute: (input, next) => {
      const [args] = input.args;
      return withRequestId(requestIdOf(args, context), () => watched(context.info.activityType, input, next));
    },
  };
  return { inbound };
};

type Next = (input: ActivityExecuteInput) => Promise<unknown>;

const watched = async (activity: string, input: ActivityExecuteInput, next: Next): Promise<unknown> => {
  const [args] = input.args;
  const step = wordOf(args, 'step', 'none');
  const done = activitySeconds.startTimer({ activity, step });
  const span = isTracing() ? beginSpan(`activity ${activity}`, 'CONSUMER', { 'tempera.step': step }) : undefined;
  try {
    const result = await (span === undefined ? next(input) : withinSpan(span, () => next(input)));
    const outcome = ENDS[activity];
    if (outcome !== undefined) runs.inc({ kind: wordOf(args, 'kind', 'nightly'), outcome });
    done({ outcome: 'done' });
    if (span !== undefined) endSpan(span);
    return result;
  } catch (error) {
    done({ outcome: error instanceof CancelledFailure ? 'cancelled' : 'failed' });
    if (span !== undefined) endSpan(span, error);
    throw error;
  }
};
