import type { Client } from '@temporalio/client';
import { DELETION_WORKFLOW, type DeletionRef, type Doors, ERASURE_WORKFLOW, type ErasureRef } from '@tempera/platform';

/** Hands what is to be erased to the engine; told again while that is at it, it does nothing. */
export interface ErasureStarter {
  readonly user: (ref: ErasureRef) => Promise<void>;
  readonly tenant: (ref: DeletionRef) => Promise<void>;
}

const BATCH = 50;

export const createErasureStarter = (client: Client, taskQueue: string): ErasureStarter => {
  const start = async (workflow: string, workflowId: string, ref: DeletionRef): Promise<void> => {
    await client.workflow.start(workflow, {
      taskQueue,
      workflowId,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [ref],
      priority: { fairnessKey: ref.tenantId },
    });
  };
  return {
    user: (ref) => start(ERASURE_WORKFLOW, `erasure:${ref.erasureId}`, ref),
    tenant: (ref) => start(DELETION_WORKFLOW, `deletion:${ref.tenantId}`, ref),
  };
};

/** One look: the wanted row is the order, so what the engine lost, or never heard of, is told again. */
export const erasureRound = async ({ asSystem }: Pick<Doors, 'asSystem'>, start: ErasureStarter): Promise<void> => {
  for (const ref of await asSystem.listWantedErasures(BATCH)) await start.user(ref);
  for (const ref of await asSystem.listWantedDeletions(BATCH)) await start.tenant(ref);
};
