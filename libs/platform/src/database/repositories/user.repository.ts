import type { TenantId, UserId } from '@tempera/core';
import { asId } from '@tempera/core';
import type { Tx } from '../context.js';
import type { TenantRole } from '../system-functions.js';

export const USER_STATUSES = ['active', 'suspended', 'removed'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** A person as the caller may see them: everyone in the tenant sees the name, only the person and admins the rest. */
export interface UserRecord {
  readonly id: UserId;
  readonly displayName: string;
  readonly email: string | null;
  readonly role: TenantRole | null;
  readonly status: UserStatus | null;
  readonly createdAt: Date | null;
}

const COLUMNS = { id: true, displayName: true, email: true, role: true, status: true, createdAt: true } as const;

interface UserRow {
  readonly id: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly role: string;
  readonly status: string;
  readonly createdAt: Date;
}

const toRecord = ({ id, displayName, email, role, status, createdAt }: UserRow): UserRecord => ({
  id: asId<UserId>(id),
  displayName,
  email,
  // The columns' checks allow no other words.
  role: role as TenantRole,
  status: status as UserStatus,
  createdAt,
});

/** The people with these ids, in no order; ids of other tenants and unknown ones are not among them. */
export const findUsers = async (tx: Tx, tenantId: TenantId, ids: readonly UserId[]): Promise<UserRecord[]> => {
  const rows = await tx.appUser.findMany({ where: { tenantId, id: { in: [...ids] } }, select: COLUMNS });
  const seen = new Set(rows.map(({ id }) => id));
  const others = ids.filter((id) => !seen.has(id));
  if (others.length === 0) return rows.map(toRecord);
  const names = await tx.$queryRaw<{ id: string; displayName: string }[]>`
    select id, display_name as "displayName" from display_names(${others}::uuid[])`;
  const known = names.map((row) => ({
    ...row,
    id: asId<UserId>(row.id),
    email: null,
    role: null,
    status: null,
    createdAt: null,
  }));
  return [...rows.map(toRecord), ...known];
};

/** Where a page of people begins: after this name and id. */
export interface UserPosition {
  readonly displayName: string;
  readonly id: string;
}

/** Prisma hands a text to LIKE as it is. */
const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Which people a list shows. */
export interface UserListFilter {
  readonly status: UserStatus;
  readonly role?: TenantRole;
  /** Part of the name, in either case. */
  readonly search?: string;
}

/** The people whom the caller may list, by name; at most `take`. */
export const listUsers = async (
  tx: Tx,
  tenantId: TenantId,
  { status, role, search }: UserListFilter,
  { after, take }: { readonly after: UserPosition | null; readonly take: number },
): Promise<UserRecord[]> => {
  const narrowing = {
    ...(role === undefined ? {} : { role }),
    ...(search === undefined ? {} : { displayName: { contains: literally(search), mode: 'insensitive' as const } }),
  };
  const start =
    after === null
      ? {}
      : { OR: [{ displayName: { gt: after.displayName } }, { displayName: after.displayName, id: { gt: after.id } }] };
  const rows = await tx.appUser.findMany({
    where: { AND: [{ tenantId, status }, narrowing, start] },
    select: COLUMNS,
    orderBy: [{ displayName: 'asc' }, { id: 'asc' }],
    take,
  });
  return rows.map(toRecord);
};

/** Gives a person another role. @throws a refusal of the database, or `conflict` for the last owner */
export const setUserRole = async (tx: Tx, tenantId: TenantId, id: UserId, role: TenantRole): Promise<void> => {
  await tx.appUser.updateMany({ where: { tenantId, id }, data: { role } });
};

/**
 * Lets a person in, keeps them out, or for good.
 * @param removedAt with `removed`: from when on their private memories wait to be erased
 * @throws a refusal of the database, or `conflict` for the last owner
 */
export const setUserStatus = async (
  tx: Tx,
  tenantId: TenantId,
  id: UserId,
  status: UserStatus,
  removedAt: Date | null = null,
): Promise<void> => {
  await tx.appUser.updateMany({ where: { tenantId, id }, data: { status, removedAt } });
};

/** The role of whoever the door was opened for; null when they are no active member. */
export const myTenantRole = async (tx: Tx): Promise<TenantRole | null> => {
  const [row] = await tx.$queryRaw<{ role: TenantRole | null }[]>`select my_tenant_role() as role`;
  return row?.role ?? null;
};
