import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { StepArguments, StepCursor } from '@tempera/platform/temporal/contract';
import { activitiesOf } from './activities.js';

/** Calls of one execution, each of many pages: a history should stay short enough to read. */
const MAX_CALLS = 10;

/** One step of a run, page by page; it continues as new with its cursor, so that no tenant is too large for it. */
export async function maintenanceStep(args: StepArguments): Promise<void> {
  const { runPages } = activitiesOf(args.tenantId);
  let cursor: StepCursor | null = args.cursor;
  for (let calls = 0; cursor !== null; calls += 1) {
    if (calls >= MAX_CALLS || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof maintenanceStep>({ ...args, cursor });
    }
    cursor = await runPages({ ...args, cursor });
  }
}
