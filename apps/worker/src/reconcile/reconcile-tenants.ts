import { silentRuns, wantedSchedule } from '@tempera/platform';
import { noteOf } from '../schedules.js';
import type { ReconcileTools } from './deliver-outbox.js';

/** A run that has written nothing for this long is started again; a page takes well under a second. */
const SILENT_MS = 15 * 60_000;

/**
 * Makes the engine hold what the database wants: a schedule for each active tenant as it is set, none for others, and a
 * workflow for each unfinished run, though the engine may have lost its data since.
 */
export const reconcileTenants = async (tools: ReconcileTools): Promise<void> => {
  const { doors, schedules } = tools;
  const there = await schedules.list();
  const active = await doors.asSystem.listActiveTenants();
  for (const { tenantId } of active) await reconcileTenant(tenantId, there.get(tenantId), tools);
  const wanted = new Set(active.map(({ tenantId }) => tenantId));
  for (const tenantId of there.keys()) if (!wanted.has(tenantId)) await schedules.remove(tenantId);
};

const reconcileTenant = async (tenantId: string, note: string | undefined, tools: ReconcileTools): Promise<void> => {
  const { doors, schedules, nights, now } = tools;
  const since = new Date(now().getTime() - SILENT_MS);
  const { wanted, silent } = await doors.asWorker(tenantId, async (tx) => ({
    wanted: await wantedSchedule(tx, tenantId),
    silent: await silentRuns(tx, tenantId, since),
  }));
  if (wanted !== null && note !== noteOf(wanted)) await schedules.ensure(tenantId, wanted);
  for (const { id } of silent) await nights.revive(id, { tenantId, runId: id });
};
