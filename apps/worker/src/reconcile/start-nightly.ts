import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { NIGHTLY_WORKFLOW, type NightlyArguments } from '@tempera/platform/temporal/contract';

export interface NightlyStarter {
  /** Starts the night a person asked for; asked again with the same id it does nothing. */
  request(outboxId: string, args: NightlyArguments): Promise<void>;
  /** Starts a run that has shown no life, unless it is being worked on. */
  revive(runId: string, args: NightlyArguments): Promise<void>;
  /** Cancels whoever works on a run; nothing happens where nobody does. */
  stop(workflowId: string): Promise<void>;
}

/** Starts nights on a task queue. Workflow ids are opaque: they can be read by whoever can read the engine. */
export const createNightlyStarter = (client: Client, taskQueue: string): NightlyStarter => ({
  request: async (outboxId, args) => {
    try {
      await client.workflow.start(NIGHTLY_WORKFLOW, {
        taskQueue,
        workflowId: outboxId,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        args: [args],
        priority: { fairnessKey: args.tenantId },
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  },
  revive: async (runId, args) => {
    await client.workflow.start(NIGHTLY_WORKFLOW, {
      taskQueue,
      workflowId: `revived:${runId}`,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [args],
      priority: { fairnessKey: args.tenantId },
    });
  },
  stop: async (workflowId) => {
    try {
      await client.workflow.getHandle(workflowId).cancel();
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  },
});
