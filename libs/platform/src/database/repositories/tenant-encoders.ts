import type { TenantId } from '@tempera/core';
import { type ActiveEncoders, type EncoderId, STANDARD_ENCODERS } from '../../embedding/exports.js';
import type { Tx } from '../context.js';

/** The encoders of a tenant, as the database has them at this moment. */
export interface TenantEncoders {
  readonly active: ActiveEncoders;
  /** The one that it is changing to: its vectors are kept beside, and nothing reads them yet. */
  readonly coming: EncoderId | null;
}

/** As `tenant_encoders()` gives it: a model that never changed is not among the active. */
export interface TenantEncodersRow {
  readonly active: Partial<ActiveEncoders>;
  readonly coming: string | null;
}

export const toTenantEncoders = ({ active, coming }: TenantEncodersRow): TenantEncoders => ({
  active: { ...STANDARD_ENCODERS, ...active },
  coming: coming as EncoderId | null,
});

export const readTenantEncoders = async (tx: Tx, tenantId: TenantId): Promise<TenantEncoders> => {
  const [row] = await tx.$queryRaw<{ encoders: TenantEncodersRow }[]>`/* kept */
    select tenant_encoders(${tenantId}::uuid) as encoders`;
  return toTenantEncoders(row?.encoders ?? { active: {}, coming: null });
};

/** Of a tenant that never changed them. */
export const STANDARD_TENANT: TenantEncoders = { active: STANDARD_ENCODERS, coming: null };

/** Whether questions are read by the same ones. */
export const areActive = (one: ActiveEncoders, { active: other }: TenantEncoders): boolean =>
  Object.entries(one).every(([name, encoder]) => other[name as keyof ActiveEncoders] === encoder);
