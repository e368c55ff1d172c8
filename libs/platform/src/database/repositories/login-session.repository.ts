import { asId, type TenantId, type UserId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { SessionKind } from '../system-functions.js';

/** A session as lists show it: never a secret. */
export interface LoginSessionRecord {
  readonly id: string;
  readonly userId: UserId;
  readonly kind: SessionKind;
  /** The device's or token's name. */
  readonly client: string;
  readonly createdAt: Date;
  /** Creation as the database writes it, to the microsecond, for paging. */
  readonly createdAtText: string;
  /** To the minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedReason: string | null;
}

/** Whether a person logged in, or a personal access token speaks; null when the session is not there or over. */
export const sessionKind = async (tx: Tx, tenantId: TenantId, id: string): Promise<SessionKind | null> => {
  const row = await tx.loginSession.findFirst({ where: { tenantId, id, revokedAt: null }, select: { kind: true } });
  // The column's check allows no other word.
  return row === null ? null : (row.kind as SessionKind);
};

/** When a session ends at the latest; null when the caller may not see it. */
export const findSessionEnd = async (tx: Tx, tenantId: TenantId, id: string): Promise<Date | null> => {
  const row = await tx.loginSession.findFirst({ where: { tenantId, id }, select: { expiresAt: true } });
  return row?.expiresAt ?? null;
};

type LoginSessionRow = Omit<LoginSessionRecord, 'userId'> & { readonly userId: string };

const SESSION_COLUMNS = Prisma.sql`id, user_id as "userId", kind, client, created_at as "createdAt",
  created_at::text as "createdAtText", last_used_at as "lastUsedAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", revoked_reason as "revokedReason"`;

const toRecord = (row: LoginSessionRow): LoginSessionRecord => ({ ...row, userId: asId<UserId>(row.userId) });

/** Where a page of sessions begins: after this row (creation as the database writes it, then id). */
export interface LoginSessionPosition {
  readonly createdAtText: string;
  readonly id: string;
}

/** Sessions of a person, living and ended, newest first, at most `take`; none where the caller may not see them. */
export const listLoginSessions = async (
  tx: Tx,
  tenantId: TenantId,
  userId: UserId,
  { after, take }: { readonly after: LoginSessionPosition | null; readonly take: number },
): Promise<LoginSessionRecord[]> => {
  const begin =
    after === null
      ? Prisma.empty
      : Prisma.sql`and (created_at, id) < (${after.createdAtText}::timestamptz, ${after.id}::uuid)`;
  const rows = await tx.$queryRaw<LoginSessionRow[]>`
    select ${SESSION_COLUMNS} from login_session
    where tenant_id = ${tenantId}::uuid and user_id = ${userId}::uuid ${begin}
    order by created_at desc, id desc limit ${take}`;
  return rows.map(toRecord);
};

/** The session, when it is the caller's or the caller is an admin. */
export const findLoginSession = async (tx: Tx, tenantId: TenantId, id: string): Promise<LoginSessionRecord | null> => {
  const [row] = await tx.$queryRaw<LoginSessionRow[]>`
    select ${SESSION_COLUMNS} from login_session where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
  return row === undefined ? null : toRecord(row);
};

/** Ends one living session, with the personal access token that it belongs to. @returns how many ended */
export const endSession = async (
  tx: Tx,
  tenantId: TenantId,
  id: string,
  { at, reason }: { readonly at: Date; readonly reason: string },
): Promise<number> => {
  await tx.accessToken.updateMany({ where: { tenantId, sessionId: id, revokedAt: null }, data: { revokedAt: at } });
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
