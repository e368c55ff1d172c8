import type { UserId } from '@tempera/core';
import { findUsers, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { noSuchUser } from './no-such-user.js';

/**
 * Everyone sees a colleague's name, but only oneself and admins see more; the role shows which it is.
 * @throws AppError `not-found`
 */
export const requireShown = async (tx: Tx, caller: Caller, userId: UserId): Promise<void> => {
  const [user] = await findUsers(tx, caller.tenantId, [userId]);
  if (user === undefined || user.role === null) throw noSuchUser();
};
