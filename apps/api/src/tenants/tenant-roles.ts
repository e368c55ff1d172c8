import { AppError } from '@tempera/client-kit';
import { notLoggedIn } from '../auth/caller.js';
import { myTenantRole, type TenantRole, type Tx } from '@tempera/platform';

const RANK: Readonly<Record<TenantRole, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** Whether `role` is no more than `than`. */
export const isAtMost = (role: TenantRole, than: TenantRole): boolean => RANK[role] <= RANK[than];

/** Where it is known that a thing exists and only the right to it is missing. */
export const forbidden = (message: string): AppError => new AppError('forbidden', 'role', message);

/** The caller's role, when it is owner or admin. @throws AppError `forbidden`, `unauthenticated` */
export const requireAdmin = async (tx: Tx): Promise<TenantRole> => {
  const role = await myTenantRole(tx);
  // Nobody to the database: the person or the tenant ended within the life of the session check.
  if (role === null) throw notLoggedIn();
  if (role !== 'owner' && role !== 'admin') throw forbidden('Only an owner or an admin of the tenant may do this.');
  return role;
};
