import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { DistilActivities, DistilRef } from '@tempera/platform';

/** As TURN_KEPT_SIGNAL and DISTIL_NOW_SIGNAL of the contract, of which this side takes types alone. */
const turnKept = defineSignal('turnKept');
const distilNow = defineSignal('distilNow');

/**
 * One conversation at a time: each turn that is kept meanwhile makes it wait again until it is quiet, unless its owner wants it now. Where it
 * stands is in its row, so it may be started anew.
 */
export async function distilConversation(ref: DistilRef): Promise<void> {
  let turns = 0;
  let isWantedNow = false;
  setHandler(turnKept, () => void (turns += 1));
  setHandler(distilNow, () => void (isWantedNow = true));
  const { quietSeconds, distilTurns } = proxyActivities<DistilActivities>({
    startToCloseTimeout: '5 minutes',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    priority: { fairnessKey: ref.tenantId, priorityKey: 4 },
  });
  let seen: number;
  do {
    const quietMs = 1_000 * (await quietSeconds(ref));
    do {
      seen = turns;
      // A long day of turns: what it waits for is in the database, and a history should stay short.
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof distilConversation>(ref);
    } while (quietMs > 0 && !isWantedNow && (await condition(() => turns > seen || isWantedNow, quietMs)));
    isWantedNow = false;
    seen = turns;
    while (await distilTurns(ref));
  } while (turns > seen || isWantedNow);
}
