import { AppError } from '@tempera/client-kit';
import { asId, type UserId } from '@tempera/core';
import { findUsers, type TenantRole, type Tx, type UserRecord } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireLogin } from '../auth/require-login.js';
import { parseUuid } from '../graphql/ids.js';
import { forbidden, isAtMost, requireAdmin } from '../tenants/tenant-roles.js';
import { noSuchUser } from './no-such-user.js';

/** A person as an admin sees them: all of the row. */
export type Person = UserRecord & { readonly role: TenantRole };

/** Whom an admin acts on, and with what right. */
export interface Target {
  readonly user: Person;
  readonly ownRole: TenantRole;
}

/** The person with this id. @throws AppError `not-found`, also for a person of another tenant */
export const findPerson = async (tx: Tx, caller: Caller, id: string): Promise<Person> => {
  const userId = parseUuid(id);
  const [user] = userId === null ? [] : await findUsers(tx, caller.tenantId, [asId<UserId>(userId)]);
  if (user === undefined || user.role === null) throw noSuchUser();
  return { ...user, role: user.role };
};

/**
 * The person an admin is about to change.
 * @throws AppError `forbidden` for who is no admin or has the lower role; `not-found` for a person of another tenant
 */
export const requireTarget = async (tx: Tx, caller: Caller, id: string): Promise<Target> => {
  const ownRole = await requireAdmin(tx);
  const user = await findPerson(tx, caller, id);
  if (!isAtMost(user.role, ownRole)) throw forbidden('No one can change a person of a higher role than their own.');
  return { user, ownRole };
};

/**
 * For whoever ends a login, a token or a linked sign-in of somebody else. A machine's token may not, and nobody above their own role: an admin
 * could lock the owner out for good, who alone can make a code to log in with.
 * @throws AppError `forbidden`, `not-found`
 */
export const requireMayEnd = async (tx: Tx, caller: Caller, userId: string): Promise<void> => {
  await requireLogin(tx, caller);
  await requireTarget(tx, caller, userId);
};

/** @throws AppError `conflict` where the caller means themself */
export const requireOther = (caller: Caller, { user }: Target, what: string): void => {
  if (user.id === caller.userId) throw new AppError('conflict', 'yourself', `You cannot ${what} yourself.`);
};

/** @throws AppError `conflict` for who has been removed: nothing brings them back */
export const requirePresent = ({ user }: Target): void => {
  if (user.status === 'removed') {
    throw new AppError('conflict', 'user-removed', 'This person has been removed; invite them anew.');
  }
};
