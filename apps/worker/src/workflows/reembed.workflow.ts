import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { ReembedActivities, ReembedRef } from '@tempera/platform';

/** As in exportData: a history should stay short enough to read. */
const MAX_CALLS = 50;
/** From a look to the next while the readers have enough to do, in seconds. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 10;

/** Moves one tenant's change of encoder on. Where it stands is in its row, so it needs no cursor and may be started anew. */
export async function reembed(ref: ReembedRef): Promise<void> {
  const { moveEncoderChange } = proxyActivities<ReembedActivities>({
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    priority: { fairnessKey: ref.tenantId, priorityKey: 5 },
  });
  let pause = FIRST_PAUSE;
  for (let calls = 0; calls < MAX_CALLS && !workflowInfo().continueAsNewSuggested; calls += 1) {
    const step = await moveEncoderChange(ref);
    if (step === 'over') return;
    if (step === 'more') {
      pause = FIRST_PAUSE;
      continue;
    }
    await sleep(`${pause} seconds`);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
  await continueAsNew<typeof reembed>(ref);
}
