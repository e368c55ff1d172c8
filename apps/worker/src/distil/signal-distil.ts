import type { Client } from '@temporalio/client';
import { DISTIL_NOW_SIGNAL, DISTIL_WORKFLOW, type DistilRef, TURN_KEPT_SIGNAL } from '@tempera/platform';

/** Tells the engine that a conversation went on, or that it is to be distilled at once; told twice it does no more. */
export type SignalDistil = (ref: DistilRef, isWantedNow: boolean) => Promise<void>;

/** After what people wait for, before a change of encoder. */
const BACKGROUND = 4;

export const createDistilSignaller =
  (client: Client, taskQueue: string): SignalDistil =>
  async (ref, isWantedNow) => {
    await client.workflow.signalWithStart(DISTIL_WORKFLOW, {
      taskQueue,
      workflowId: `distil:${ref.conversationId}`,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      args: [ref],
      signal: isWantedNow ? DISTIL_NOW_SIGNAL : TURN_KEPT_SIGNAL,
      signalArgs: [],
      priority: { fairnessKey: ref.tenantId, priorityKey: BACKGROUND },
    });
  };
