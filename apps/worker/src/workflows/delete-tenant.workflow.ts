import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { DeletionRef, ErasureActivities } from '@tempera/platform';

/** As in eraseUser: a history should stay short enough to read. */
const MAX_CALLS = 50;

/** Erases one tenant batch by batch. What is left is what is still to be done, so it needs no cursor. */
export async function deleteTenant(ref: DeletionRef): Promise<void> {
  const { deleteRows } = proxyActivities<ErasureActivities>({
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    priority: { fairnessKey: ref.tenantId },
  });
  for (let calls = 0; calls < MAX_CALLS && !workflowInfo().continueAsNewSuggested; calls += 1) {
    if (!(await deleteRows(ref))) return;
  }
  await continueAsNew<typeof deleteTenant>(ref);
}
