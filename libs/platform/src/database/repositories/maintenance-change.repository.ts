import type { MaintenanceStep, RunRef } from '../../temporal/contract.js';
import type { Tx } from '../context.js';

/** What a run did to a memory, or would do, or why it went on without it. */
export const CHANGE_ACTIONS = ['expired', 'merged', 'proposed', 'pruned', 'erased', 'set-aside'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

export interface MaintenanceChange {
  readonly memoryId: string;
  readonly action: ChangeAction;
  readonly reasons: readonly string[];
  /** What it became part of. */
  readonly intoId: string | null;
}

/** Notes what a page did, in its transaction. What is erased takes its note along. */
export const recordChanges = async (
  tx: Tx,
  { tenantId, runId }: RunRef,
  step: MaintenanceStep,
  changes: readonly MaintenanceChange[],
): Promise<void> => {
  if (changes.length === 0) return;
  await tx.$executeRaw`
    insert into maintenance_change (tenant_id, run_id, step, memory_id, action, reasons, into_id)
    select ${tenantId}::uuid, ${runId}::uuid, ${step}, x."memoryId", x.action, x.reasons, x."intoId"
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as x ("memoryId" uuid, action text, reasons text[], "intoId" uuid)
    on conflict do nothing`;
};

/** A change, with the step that made it. */
export interface StepChange extends MaintenanceChange {
  readonly step: MaintenanceStep;
}

/** Where the next page of changes begins: after this one, by step and memory. */
export interface ChangePosition {
  readonly step: string;
  readonly memoryId: string;
}

/** What a run did, or would do, to the memories that the caller sees. */
export const listChanges = (
  tx: Tx,
  tenantId: string,
  runId: string,
  { limit, after }: { readonly limit: number; readonly after: ChangePosition | null },
): Promise<StepChange[]> =>
  tx.$queryRaw<StepChange[]>`
    select c.step, c.memory_id as "memoryId", c.action, c.reasons, c.into_id as "intoId" from maintenance_change c
    where c.tenant_id = ${tenantId}::uuid and c.run_id = ${runId}::uuid
      and (${after === null} or (c.step, c.memory_id) > (${after?.step ?? ''}, ${after?.memoryId ?? null}::uuid))
    order by c.step, c.memory_id limit ${limit}::int`;

/** What a step of a run has done so far. */
export interface StepProgress {
  readonly step: MaintenanceStep;
  readonly isDone: boolean;
  readonly pages: number;
  readonly looked: number;
  readonly changed: number;
  readonly setAside: number;
  /** When its last page was done. */
  readonly finishedAt: Date;
}

/** The steps of some runs that have begun, by run, in the order they began. */
export const listProgress = async (
  tx: Tx,
  tenantId: string,
  runIds: readonly string[],
): Promise<Map<string, StepProgress[]>> => {
  const rows = await tx.$queryRaw<(StepProgress & { runId: string })[]>`
    select s.run_id as "runId", s.step, bool_or(coalesce(s.report ->> 'after', '') = '') as "isDone",
      count(*)::int as pages, coalesce(sum((s.report ->> 'looked')::int), 0)::int as looked,
      coalesce(sum((s.report ->> 'changed')::int), 0)::int as changed,
      coalesce(sum((s.report ->> 'setAside')::int), 0)::int as "setAside", max(s.finished_at) as "finishedAt"
    from maintenance_step s where s.tenant_id = ${tenantId}::uuid and s.run_id = any (${[...runIds]}::uuid[])
    group by s.run_id, s.step order by min(s.finished_at), s.step`;
  const found = new Map<string, StepProgress[]>();
  for (const { runId, ...progress } of rows) found.set(runId, [...(found.get(runId) ?? []), progress]);
  return found;
};
