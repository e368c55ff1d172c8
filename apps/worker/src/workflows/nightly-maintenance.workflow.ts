import { defineSearchAttributeKey } from '@temporalio/common';
import { CancellationScope, executeChild, rootCause, workflowInfo } from '@temporalio/workflow';
import {
  type MaintenanceReport,
  type MaintenanceStep,
  type NightlyArguments,
  type RunRef,
  STEPS_WITHOUT_PLAN,
} from '@tempera/platform/temporal/contract';
import { activitiesOf } from './activities.js';
import { maintenanceStep } from './maintenance-step.workflow.js';

/** Set by the engine on what a schedule starts: the instant it was due, however late it comes. */
const scheduledStart = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** A run of one tenant: the steps of its plan, one after the other. */
export async function nightlyMaintenance(args: NightlyArguments): Promise<MaintenanceReport> {
  const { beginRun, finishRun, failRun } = activitiesOf(args.tenantId);
  const { typedSearchAttributes, startTime } = workflowInfo();
  const run = await beginRun({
    ...args,
    dueAt: (typedSearchAttributes.get(scheduledStart) ?? startTime).toISOString(),
  });
  try {
    for (const step of planOf(run)) await runStep(run, step);
    return await finishRun(run);
  } catch (error) {
    const cause = rootCause(error) ?? '';
    const failure = cause === '' ? 'The run was stopped.' : cause;
    await CancellationScope.nonCancellable(() => failRun({ ...run, failure }));
    throw error;
  }
}

/** A run keeps the steps it began with, whatever a night is by now: what replays here is what was begun. */
const planOf = ({ steps, kind }: RunRef): readonly MaintenanceStep[] =>
  steps ?? STEPS_WITHOUT_PLAN[kind === 'propagate' ? 'propagate' : 'nightly'];

const runStep = (run: RunRef, step: MaintenanceStep): Promise<void> =>
  executeChild(maintenanceStep, {
    workflowId: `${workflowInfo().workflowId}/${step}`,
    args: [{ ...run, step, cursor: { page: 0, after: null } }],
    priority: { fairnessKey: run.tenantId },
  });
