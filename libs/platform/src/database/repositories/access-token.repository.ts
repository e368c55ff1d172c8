import { asId, type TenantId, type UserId } from '@tempera/core';
import type { Tx } from '../context.js';
import type { TokenScope } from '../system-functions.js';

/** A personal access token as lists show it. */
export interface AccessTokenRecord {
  readonly id: string;
  readonly userId: UserId;
  readonly sessionId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: TokenScope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

const COLUMNS = {
  id: true,
  userId: true,
  sessionId: true,
  name: true,
  tokenPrefix: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const;

interface AccessTokenRow extends Omit<AccessTokenRecord, 'userId' | 'prefix' | 'scopes'> {
  readonly userId: string;
  readonly tokenPrefix: string;
  readonly scopes: string[];
}

const toRecord = ({ userId, tokenPrefix, scopes, ...row }: AccessTokenRow): AccessTokenRecord => ({
  ...row,
  // The column's check allows no other words.
  scopes: scopes as TokenScope[],
  userId: asId<UserId>(userId),
  prefix: tokenPrefix,
});

export interface NewAccessToken {
  readonly id: string;
  readonly userId: UserId;
  readonly sessionId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: TokenScope[];
  readonly tokenHash: Uint8Array<ArrayBuffer>;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A personal access token and the session that its access tokens will belong to. */
export const insertAccessToken = async (tx: Tx, tenantId: TenantId, token: NewAccessToken): Promise<void> => {
  const { prefix, sessionId, ...columns } = token;
  const { userId, createdAt, expiresAt, name } = columns;
  // By hand: Prisma would also write the generations, whose defaults it knows, and those are not ours to write.
  await tx.$executeRaw`
    insert into login_session (tenant_id, id, user_id, kind, client, created_at, last_used_at, expires_at)
    values (${tenantId}::uuid, ${sessionId}::uuid, ${userId}::uuid, 'token', ${name}, ${createdAt}, ${createdAt}, ${expiresAt})`;
  await tx.accessToken.createMany({ data: [{ tenantId, sessionId, tokenPrefix: prefix, ...columns }] });
};

/** The token, when it is the caller's or the caller is an admin. */
export const findAccessToken = async (tx: Tx, tenantId: TenantId, id: string): Promise<AccessTokenRecord | null> => {
  const row = await tx.accessToken.findFirst({ where: { tenantId, id }, select: COLUMNS });
  return row === null ? null : toRecord(row);
};

/** Where a page of tokens begins: after this moment (as the database writes it) and id. */
export interface AccessTokenPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Visible tokens, newest first, at most `take`. Their moments come from our clock, so milliseconds are exact. */
export const listAccessTokens = async (
  tx: Tx,
  tenantId: TenantId,
  { after, take }: { readonly after: AccessTokenPosition | null; readonly take: number },
): Promise<AccessTokenRecord[]> => {
  const start =
    after === null
      ? {}
      : { OR: [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.id } }] };
  const rows = await tx.accessToken.findMany({
    where: { tenantId, ...start },
    select: COLUMNS,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
  });
  return rows.map(toRecord);
};

/** Revokes a living token with its session; what is revoked already stays as it is. */
export const revokeAccessToken = async (
  tx: Tx,
  tenantId: TenantId,
  { id, sessionId }: AccessTokenRecord,
  at: Date,
): Promise<void> => {
  await tx.accessToken.updateMany({ where: { tenantId, id, revokedAt: null }, data: { revokedAt: at } });
  await tx.loginSession.updateMany({
    where: { tenantId, id: sessionId, revokedAt: null },
    data: { revokedAt: at, revokedReason: 'token revoked' },
  });
};
