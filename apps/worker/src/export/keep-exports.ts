import type { Client } from '@temporalio/client';
import { type Doors, EXPORT_WORKFLOW, type ExportRef } from '@tempera/platform';

/** Hands an export to the engine; told again while that is at it, it does nothing. */
export type StartExport = (ref: ExportRef) => Promise<void>;

export interface ExportKeeperTools {
  readonly doors: Pick<Doors, 'asSystem'>;
  readonly start: StartExport;
}

const BATCH = 50;
/** Parts of expired exports that go in one round: as many megabytes at most. */
const PURGED = 50;

export const createExportStarter =
  (client: Client, taskQueue: string): StartExport =>
  async (ref) => {
    await client.workflow.start(EXPORT_WORKFLOW, {
      taskQueue,
      workflowId: `export:${ref.exportId}`,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [ref],
      priority: { fairnessKey: ref.tenantId },
    });
  };

/** One look: the wanted row is the order, so what the engine lost, or never heard of, is told again. */
export const exportRound = async ({ doors, start }: ExportKeeperTools): Promise<void> => {
  for (const ref of await doors.asSystem.listWantedExports(BATCH)) await start(ref);
  await doors.asSystem.purgeExports(PURGED);
};
