import { asId, type TenantId } from '@tempera/core';
import type { Tx } from '../context.js';

export interface TenantRecord {
  readonly id: TenantId;
  readonly name: string;
  readonly timeZone: string;
  readonly createdAt: Date;
}

/** The tenant, when this door may see it. */
export const findTenant = async (tx: Tx, tenantId: string): Promise<TenantRecord | null> => {
  const row = await tx.tenant.findFirst({
    where: { id: tenantId },
    select: { id: true, name: true, timeZone: true, createdAt: true },
  });
  return row === null ? null : { ...row, id: asId<TenantId>(row.id) };
};

/** What an admin may change of a tenant; absent parts stay. */
export interface TenantChange {
  readonly name?: string;
  readonly timeZone?: string;
}

export const updateTenant = async (tx: Tx, tenantId: TenantId, change: TenantChange): Promise<void> => {
  await tx.tenant.updateMany({ where: { id: tenantId }, data: change });
};
