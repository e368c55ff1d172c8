/** What somebody might do to a step or an erasure without thinking of those in flight: wait a moment first. */
import { proxyActivities, sleep } from '@temporalio/workflow';
import type { DeletionRef, ErasureActivities, ErasureRef } from '@tempera/platform';
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

const rows = (): ErasureActivities => proxyActivities<ErasureActivities>({ startToCloseTimeout: '60 seconds' });

export async function eraseUser(ref: ErasureRef): Promise<void> {
  await sleep(1_000);
  await rows().eraseRows(ref);
}

export async function deleteTenant(ref: DeletionRef): Promise<void> {
  await sleep(1_000);
  await rows().deleteRows(ref);
}
