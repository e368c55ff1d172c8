import type { Client } from '@temporalio/client';
import { type Doors, ERASURE_WORKFLOW, type ErasureRef } from '@tempera/platform';

/** Hands an erasure to the engine; told again while that is at it, it does nothing. */
export type StartErasure = (ref: ErasureRef) => Promise<void>;

const BATCH = 50;

export const createErasureStarter =
  (client: Client, taskQueue: string): StartErasure =>
  async (ref) => {
    await client.workflow.start(ERASURE_WORKFLOW, {
      taskQueue,
      workflowId: `erasure:${ref.erasureId}`,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [ref],
      priority: { fairnessKey: ref.tenantId },
    });
  };

/** One look: the wanted row is the order, so what the engine lost, or never heard of, is told again. */
export const erasureRound = async (doors: Pick<Doors, 'asSystem'>, start: StartErasure): Promise<void> => {
  for (const ref of await doors.asSystem.listWantedErasures(BATCH)) await start(ref);
};
