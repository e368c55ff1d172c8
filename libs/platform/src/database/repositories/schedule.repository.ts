import type { TenantId } from '@tempera/core';
import type { Tx } from '../context.js';

export type ScheduleKind = 'nightly';

/** When a tenant's recurring work is wanted, in its own time zone. */
export interface ScheduleRecord {
  readonly kind: ScheduleKind;
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

/** The schedules the caller may see: an admin's tenant's. */
export const listSchedules = async (tx: Tx, tenantId: TenantId): Promise<ScheduleRecord[]> => {
  const rows = await tx.schedule.findMany({
    where: { tenantId },
    select: { kind: true, hour: true, minute: true, paused: true, updatedAt: true },
    orderBy: { kind: 'asc' },
  });
  // The column's check allows no other word.
  return rows.map((row) => ({ ...row, kind: row.kind as ScheduleKind }));
};

export const updateSchedule = async (
  tx: Tx,
  tenantId: TenantId,
  kind: ScheduleKind,
  change: ScheduleChange,
  updatedAt: Date,
): Promise<void> => {
  await tx.schedule.updateMany({ where: { tenantId, kind }, data: { ...change, updatedAt } });
};

/** Promises that the workflow engine will be told of the tenant's schedule, in the transaction that changed it. */
export const promiseSchedule = async (tx: Tx, tenantId: TenantId): Promise<void> => {
  await tx.outbox.createMany({ data: [{ tenantId, kind: 'schedule.changed', subjectId: tenantId }] });
};
