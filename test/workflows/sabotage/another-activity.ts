/** What somebody might do to the step workflow without thinking of the steps in flight: call something else first. */
import { sleep } from '@temporalio/workflow';
import type { StepArguments, StepCursor } from '@tempera/platform/temporal/contract';
import { activitiesOf } from '../../../apps/worker/src/workflows/activities.js';

export { nightlyMaintenance } from '../../../apps/worker/src/workflows/index.js';

export async function maintenanceStep(args: StepArguments): Promise<void> {
  const { runPages } = activitiesOf(args.tenantId);
  let cursor: StepCursor | null = args.cursor;
  while (cursor !== null) {
    // Jitter by the clock: the sandbox holds the clock still, and yet the timer is one command more than was recorded.
    await sleep(Date.now() % 1000);
    cursor = await runPages({ ...args, cursor });
  }
}
