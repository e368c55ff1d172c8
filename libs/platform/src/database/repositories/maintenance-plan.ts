import { type Cadence, isDue } from '@tempera/core';
import {
  type MaintenanceStep,
  type RunKind,
  type ScheduledStep,
  SCHEDULED_STEPS,
  STEP_RULES,
  withWhatTheyRead,
} from '../../temporal/contract.js';
import type { Tx } from '../context.js';

/** What a tenant wants of one step of its nights. */
export interface StepWish {
  readonly step: ScheduledStep;
  readonly cadence: Cadence;
  readonly paused: boolean;
  /** The latest date for which it was done, `YYYY-MM-DD`. */
  readonly lastOn: string | null;
  /** When the wish was changed; null: as shipped. */
  readonly changedAt: Date | null;
}

/** What the tenant wants of each step, in the order of a night. */
export const stepWishes = async (tx: Tx, tenantId: string): Promise<StepWish[]> => {
  const wanted = await tx.$queryRaw<{ kind: string; cadence: Cadence | null; paused: boolean; updatedAt: Date }[]>`
    select kind, cadence, paused, updated_at as "updatedAt" from schedule where tenant_id = ${tenantId}::uuid`;
  const done = await tx.$queryRaw<{ step: string; lastOn: string }[]>`
    select s.step, max(r.run_date)::text as "lastOn" from maintenance_run r cross join unnest(r.steps) as s (step)
    where r.tenant_id = ${tenantId}::uuid and r.status = 'completed' and not r.dry_run group by s.step`;
  return SCHEDULED_STEPS.map((step) => {
    const row = wanted.find(({ kind }) => kind === step);
    return {
      step,
      cadence: row?.cadence ?? STEP_RULES[step].cadence,
      paused: row?.paused ?? false,
      lastOn: done.find((one) => one.step === step)?.lastOn ?? null,
      changedAt: row?.updatedAt ?? null,
    };
  });
};

/** What a plan is made for. */
export interface PlanRequest {
  readonly kind: RunKind;
  readonly isDry: boolean;
  readonly runDate: string;
}

/**
 * The steps of a run, fixed when it begins: of a night those that are due and not paused; one that was asked for by name in
 * any case. Of a night that only tells what it would do, those that remove or join.
 */
export const planRun = async (
  tx: Tx,
  tenantId: string,
  { kind, isDry, runDate }: PlanRequest,
): Promise<MaintenanceStep[]> => {
  if (kind !== 'nightly') return withWhatTheyRead([kind]);
  const due = (await stepWishes(tx, tenantId)).filter(
    ({ cadence, paused, lastOn }) => !paused && isDue(cadence, runDate, lastOn),
  );
  return withWhatTheyRead(due.map(({ step }) => step).filter((step) => !isDry || STEP_RULES[step].canBeDry));
};
