import type { MaintenanceStep, RunRef } from '../../temporal/contract.js';
import type { Tx } from '../context.js';

/** What a run took: numbers alone, for a log. */
export interface RunSummary {
  /** From its beginning to its end; null while it has none. */
  readonly durationMs: number | null;
  /** Pages of each step. */
  readonly pages: Readonly<Partial<Record<MaintenanceStep, number>>>;
}

/** How long a run took and how many pages its steps had; a second call says the same. */
export const summariseRun = async (tx: Tx, { tenantId, runId }: RunRef): Promise<RunSummary> => {
  const steps = await tx.$queryRaw<{ step: MaintenanceStep; pages: number }[]>`
    select step, count(*)::int as pages from maintenance_step
    where tenant_id = ${tenantId}::uuid and run_id = ${runId}::uuid group by step order by min(finished_at)`;
  const [run] = await tx.$queryRaw<{ durationMs: number | null }[]>`
    select (extract(epoch from finished_at - started_at) * 1000)::float8 as "durationMs" from maintenance_run
    where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid`;
  return {
    durationMs: run?.durationMs ?? null,
    pages: Object.fromEntries(steps.map(({ step, pages }) => [step, pages])),
  };
};
