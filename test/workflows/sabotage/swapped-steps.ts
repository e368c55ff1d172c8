/** What somebody might do to the nightly workflow without thinking of the nights in flight: change the order. */
import { executeChild, workflowInfo } from '@temporalio/workflow';
import { MAINTENANCE_STEPS, type MaintenanceReport, type NightlyArguments } from '@tempera/platform/temporal/contract';
import { activitiesOf } from '../../../apps/worker/src/workflows/activities.js';
import { maintenanceStep } from '../../../apps/worker/src/workflows/maintenance-step.workflow.js';

export { maintenanceStep };

export async function nightlyMaintenance(args: NightlyArguments): Promise<MaintenanceReport> {
  const { beginRun, finishRun } = activitiesOf(args.tenantId);
  const run = await beginRun({ ...args, dueAt: workflowInfo().startTime.toISOString() });
  for (const step of [...MAINTENANCE_STEPS].reverse()) {
    await executeChild(maintenanceStep, {
      workflowId: `${workflowInfo().workflowId}/${step}`,
      args: [{ ...run, step, cursor: { page: 0, after: null } }],
    });
  }
  return finishRun(run);
}
