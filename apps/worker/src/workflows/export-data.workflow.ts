import {
  type ActivityInterfaceFor,
  CancellationScope,
  continueAsNew,
  proxyActivities,
  rootCause,
  workflowInfo,
} from '@temporalio/workflow';
import type { ExportActivities, ExportRef } from '@tempera/platform';

/** Calls of one execution, each of many pages: a history should stay short enough to read. */
const MAX_CALLS = 50;

/** As activitiesOf has it: how often an error may be tried again, the activity knows. */
const activities = (tenantId: string): ActivityInterfaceFor<ExportActivities> =>
  proxyActivities<ExportActivities>({
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    priority: { fairnessKey: tenantId },
  });

/** Writes one export page by page. Where it stands is in its row, so it needs no cursor and no tenant is too large for it. */
export async function exportData(ref: ExportRef): Promise<void> {
  const { writePages, finishExport, failExport } = activities(ref.tenantId);
  let isOver = false;
  try {
    for (let calls = 0; !isOver && calls < MAX_CALLS && !workflowInfo().continueAsNewSuggested; calls += 1) {
      isOver = !(await writePages(ref));
    }
    if (isOver) return await finishExport(ref);
  } catch (error) {
    const failure = rootCause(error) ?? 'The export was stopped.';
    await CancellationScope.nonCancellable(() => failExport({ ...ref, failure }));
    throw error;
  }
  await continueAsNew<typeof exportData>(ref);
}
