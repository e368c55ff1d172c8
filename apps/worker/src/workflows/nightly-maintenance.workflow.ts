import { defineSearchAttributeKey } from '@temporalio/common';
import { CancellationScope, executeChild, rootCause, workflowInfo } from '@temporalio/workflow';
import {
  type MaintenanceReport,
  type MaintenanceStep,
  type NightlyArguments,
  type RunRef,
  STEPS_OF,
} from '@tempera/platform/temporal/contract';
import { activitiesOf } from './activities.js';
import { maintenanceStep } from './maintenance-step.workflow.js';

/** Set by the engine on what a schedule starts: the instant it was due, however late it comes. */
const scheduledStart = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** A night of one tenant: credit, then the snapshot that fades what was earned, then lending; or the last two alone. */
export async function nightlyMaintenance(args: NightlyArguments): Promise<MaintenanceReport> {
  const { beginRun, finishRun, failRun } = activitiesOf(args.tenantId);
  const { typedSearchAttributes, startTime } = workflowInfo();
  const run = await beginRun({
    ...args,
    dueAt: (typedSearchAttributes.get(scheduledStart) ?? startTime).toISOString(),
  });
  try {
    for (const step of STEPS_OF[run.kind ?? 'nightly']) await runStep(run, step);
    return await finishRun(run);
  } catch (error) {
    const failure = rootCause(error) ?? 'The run was stopped.';
    await CancellationScope.nonCancellable(() => failRun({ ...run, failure }));
    throw error;
  }
}

const runStep = (run: RunRef, step: MaintenanceStep): Promise<void> =>
  executeChild(maintenanceStep, {
    workflowId: `${workflowInfo().workflowId}/${step}`,
    args: [{ ...run, step, cursor: { page: 0, after: null } }],
    priority: { fairnessKey: run.tenantId },
  });
