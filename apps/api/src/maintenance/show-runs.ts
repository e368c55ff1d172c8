import { listProgress, type MaintenanceRun as RunRecord, type Tx } from '@tempera/platform';
import { toMaintenanceRun } from './maintenance.mapper.js';
import type { MaintenanceRun } from './maintenance.types.js';

/** Runs as people see them, with what their steps have done so far. */
export const showRuns = async (tx: Tx, tenantId: string, runs: readonly RunRecord[]): Promise<MaintenanceRun[]> => {
  const progress = await listProgress(
    tx,
    tenantId,
    runs.map(({ id }) => id),
  );
  return runs.map((run) => toMaintenanceRun(run, progress.get(run.id) ?? []));
};
