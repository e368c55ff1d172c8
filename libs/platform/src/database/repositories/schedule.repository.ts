import type { Cadence, TenantId } from '@tempera/core';
import type { ScheduledStep } from '../../temporal/contract.js';
import type { Tx } from '../context.js';

/** The nights themselves, or one step of theirs. */
export type ScheduleKind = 'nightly' | ScheduledStep;

/** When a tenant's nights are wanted, in its own time zone. */
export interface ScheduleRecord {
  readonly hour: number;
  readonly minute: number;
  readonly paused: boolean;
  readonly updatedAt: Date;
}

/** What an admin may change of it; absent parts stay. */
export interface ScheduleChange {
  readonly hour?: number;
  readonly minute?: number;
  readonly paused?: boolean;
}

/** When the nights are; null for who may not see it: admins may. */
export const findNights = (tx: Tx, tenantId: TenantId): Promise<ScheduleRecord | null> =>
  tx.schedule.findFirst({
    where: { tenantId, kind: 'nightly' },
    select: { hour: true, minute: true, paused: true, updatedAt: true },
  });

export const updateNights = async (
  tx: Tx,
  tenantId: TenantId,
  change: ScheduleChange,
  updatedAt: Date,
): Promise<void> => {
  await tx.schedule.updateMany({ where: { tenantId, kind: 'nightly' }, data: { ...change, updatedAt } });
};

/** What an admin may change of a step; absent parts stay. */
export interface StepChangeWish {
  readonly cadence?: Cadence;
  readonly paused?: boolean;
}

export const wishStep = async (
  tx: Tx,
  tenantId: TenantId,
  step: ScheduledStep,
  { cadence, paused }: StepChangeWish,
  at: Date,
): Promise<void> => {
  await tx.$executeRaw`
    insert into schedule (tenant_id, kind, cadence, paused, updated_at)
    values (${tenantId}::uuid, ${step}, ${cadence ?? null}, ${paused ?? false}, ${at}::timestamptz)
    on conflict (tenant_id, kind) do update set cadence = coalesce(excluded.cadence, schedule.cadence),
      paused = coalesce(${paused ?? null}::boolean, schedule.paused), updated_at = excluded.updated_at`;
};

/** Promises that the workflow engine will be told of the tenant's schedule, in the transaction that changed it. */
export const promiseSchedule = async (tx: Tx, tenantId: TenantId): Promise<void> => {
  await tx.outbox.createMany({ data: [{ tenantId, kind: 'schedule.changed', subjectId: tenantId }] });
};
