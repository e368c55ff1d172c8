import type { TenantId, UserId } from '@tempera/core';
import type { Tx } from '../context.js';

/** Whether a person logged in, or a personal access token speaks; null when the session is not there or over. */
export const sessionKind = async (tx: Tx, tenantId: TenantId, id: string): Promise<'login' | 'token' | null> => {
  const row = await tx.loginSession.findFirst({ where: { tenantId, id, revokedAt: null }, select: { kind: true } });
  // The column's check allows no other word.
  return row === null ? null : (row.kind as 'login' | 'token');
};

/** When a session ends at the latest; null when the caller may not see it. */
export const findSessionEnd = async (tx: Tx, tenantId: TenantId, id: string): Promise<Date | null> => {
  const row = await tx.loginSession.findFirst({ where: { tenantId, id }, select: { expiresAt: true } });
  return row?.expiresAt ?? null;
};

/** Ends one living session. @returns how many ended */
export const endSession = async (
  tx: Tx,
  tenantId: TenantId,
  id: string,
  { at, reason }: { readonly at: Date; readonly reason: string },
): Promise<number> => {
  const where = { tenantId, id, revokedAt: null };
  return (await tx.loginSession.updateMany({ where, data: { revokedAt: at, revokedReason: reason } })).count;
};

/** Ends every living session of a person, those of personal access tokens too. @returns how many ended */
export const endSessionsOf = async (
  tx: Tx,
  tenantId: TenantId,
  userId: UserId,
  { at, reason }: { readonly at: Date; readonly reason: string },
): Promise<number> => {
  const where = { tenantId, userId, revokedAt: null };
  await tx.accessToken.updateMany({ where, data: { revokedAt: at } });
  return (await tx.loginSession.updateMany({ where, data: { revokedAt: at, revokedReason: reason } })).count;
};
