import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { type Doors, EXPORT_WORKFLOW, type ExportRef, type Logger } from '@tempera/platform';

/** Hands an export to the engine; told again while that is at it, it does nothing. */
export type StartExport = (ref: ExportRef) => Promise<void>;

export interface ExportKeeperTools {
  readonly doors: Pick<Doors, 'asSystem'>;
  readonly logger: Logger;
  readonly start: StartExport;
}

/** A person waits for it; an empty look costs one small query. */
const POLL_MS = 1_000;
const MAX_POLL_MS = 10_000;
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
export const exportRound = async ({ doors, start }: Omit<ExportKeeperTools, 'logger'>): Promise<void> => {
  for (const ref of await doors.asSystem.listWantedExports(BATCH)) await start(ref);
  await doors.asSystem.purgeExports(PURGED);
};

/** Starts exports that were asked for and removes expired ones, until the signal aborts. */
export const keepExports = async (signal: AbortSignal, tools: ExportKeeperTools): Promise<void> => {
  let pauseMs = POLL_MS;
  while (!signal.aborted) {
    try {
      await exportRound(tools);
      pauseMs = POLL_MS;
    } catch (error) {
      tools.logger.warn({ err: error }, 'exports could not be looked after; trying again');
      pauseMs = Math.min(MAX_POLL_MS, pauseMs * 2);
    }
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};
