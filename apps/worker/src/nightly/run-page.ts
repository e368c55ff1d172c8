import { findLastStep } from '@tempera/platform';
import type { MaintenanceStep, RunRef, StepCursor } from '@tempera/platform/temporal/contract';
import { attempt, type NightlyTools, PageFault, type PageTask } from './page.js';
import { setAside } from './set-aside.js';

/**
 * Does one page: its effect and its step row in one transaction, so that a page that is asked for again is skipped. A memory
 * that cannot be worked on is set aside, and the page done without it: one bad row stops no night.
 * @returns where to go on, or null when the step is done
 */
export const runPage = async (tools: NightlyTools, task: PageTask): Promise<StepCursor | null> => {
  try {
    return await attempt(tools, task);
  } catch (error) {
    if (!(error instanceof PageFault)) throw error;
    return setAside(tools, task, error);
  }
};

/** Where a step stands: what an earlier attempt has done, here or elsewhere, is not walked through again. */
export const resumeStep = async (
  { doors }: Pick<NightlyTools, 'doors'>,
  run: RunRef,
  step: MaintenanceStep,
  cursor: StepCursor,
): Promise<StepCursor | null> => {
  const done = await doors.asWorker(run.tenantId, (tx) => findLastStep(tx, run, step));
  if (done === null) return cursor;
  return done.next === null || done.next.page > cursor.page ? done.next : cursor;
};
