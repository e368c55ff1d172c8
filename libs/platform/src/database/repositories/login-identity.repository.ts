import { asId, type TenantId, type UserId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { ProviderIdentity } from '../entry-functions.js';

/** An identity of a provider that is linked with a user. */
export interface LoginIdentityRecord extends ProviderIdentity {
  readonly id: string;
  readonly userId: UserId;
  readonly createdAt: Date;
  /** Creation as the database writes it, to the microsecond, for paging. */
  readonly createdAtText: string;
  readonly lastUsedAt: Date | null;
}

/** Where a page of identities begins: after this row. */
export interface LoginIdentityPosition {
  readonly createdAtText: string;
  readonly id: string;
}

type LoginIdentityRow = Omit<LoginIdentityRecord, 'userId'> & { readonly userId: string };

/** Whose identity this is; null where the caller may not see it. */
export const findLoginIdentityUser = async (tx: Tx, tenantId: TenantId, id: string): Promise<UserId | null> => {
  const row = await tx.loginIdentity.findFirst({ where: { tenantId, id }, select: { userId: true } });
  return row === null ? null : asId<UserId>(row.userId);
};

/** Identities of a person, newest first, at most `take`; none where the caller may not see them. */
export const listLoginIdentities = async (
  tx: Tx,
  tenantId: TenantId,
  userId: UserId,
  { after, take }: { readonly after: LoginIdentityPosition | null; readonly take: number },
): Promise<LoginIdentityRecord[]> => {
  const begin =
    after === null
      ? Prisma.empty
      : Prisma.sql`and (created_at, id) < (${after.createdAtText}::timestamptz, ${after.id}::uuid)`;
  const rows = await tx.$queryRaw<LoginIdentityRow[]>`
    select id, user_id as "userId", issuer, subject, created_at as "createdAt", created_at::text as "createdAtText",
      last_used_at as "lastUsedAt" from login_identity
    where tenant_id = ${tenantId}::uuid and user_id = ${userId}::uuid ${begin}
    order by created_at desc, id desc limit ${take}`;
  return rows.map((row) => ({ ...row, userId: asId<UserId>(row.userId) }));
};

/** Links an identity with a user. @throws a unique violation when it is linked in this tenant already */
export const insertLoginIdentity = async (
  tx: Tx,
  tenantId: TenantId,
  row: ProviderIdentity & { readonly id: string; readonly userId: UserId; readonly createdAt: Date },
): Promise<void> => {
  await tx.$executeRaw`
    insert into login_identity (tenant_id, id, user_id, issuer, subject, created_at)
    values (${tenantId}::uuid, ${row.id}::uuid, ${row.userId}::uuid, ${row.issuer}, ${row.subject}, ${row.createdAt})`;
};

/** Unlinks an identity that the caller may unlink. @returns whose it was; null when there is none */
export const deleteLoginIdentity = async (tx: Tx, tenantId: TenantId, id: string): Promise<UserId | null> => {
  const [row] = await tx.$queryRaw<{ userId: string }[]>`
    delete from login_identity where tenant_id = ${tenantId}::uuid and id = ${id}::uuid returning user_id as "userId"`;
  return row === undefined ? null : asId<UserId>(row.userId);
};
