import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ErasureActivities, ErasureRef } from '@tempera/platform';

/** Calls of one execution, each of many batches: a history should stay short enough to read. */
const MAX_CALLS = 50;

/** Erases one person batch by batch. Where it stands is in its row, so it needs no cursor and nobody has too much for it. */
export async function eraseUser(ref: ErasureRef): Promise<void> {
  const { eraseRows } = proxyActivities<ErasureActivities>({
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    priority: { fairnessKey: ref.tenantId },
  });
  for (let calls = 0; calls < MAX_CALLS && !workflowInfo().continueAsNewSuggested; calls += 1) {
    if (!(await eraseRows(ref))) return;
  }
  await continueAsNew<typeof eraseUser>(ref);
}
