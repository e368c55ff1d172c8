import type { Client } from '@temporalio/client';
import { type Doors, REEMBED_WORKFLOW, type ReembedRef } from '@tempera/platform';

/** Hands a tenant's change of encoder to the engine; told again while that is at it, it does nothing. */
export type StartReembed = (ref: ReembedRef) => Promise<void>;

const BATCH = 50;
/** After everything else that a worker does; 5 is the least. */
const LAST = 5;

export const createReembedStarter =
  (client: Client, taskQueue: string): StartReembed =>
  async (ref) => {
    await client.workflow.start(REEMBED_WORKFLOW, {
      taskQueue,
      workflowId: `reembed:${ref.tenantId}`,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [ref],
      priority: { fairnessKey: ref.tenantId, priorityKey: LAST },
    });
  };

/** One look: the wanted row is the order, so what the engine lost, or never heard of, is told again. */
export const reembedRound = async ({ asSystem }: Pick<Doors, 'asSystem'>, start: StartReembed): Promise<void> => {
  for (const ref of await asSystem.listWantedEncoderChanges(BATCH)) await start(ref);
};
