import { AppError } from '@tempera/client-kit';
import type { TenantId } from '@tempera/core';
import { findGroupAccess, type GroupAccess, type Tx } from '@tempera/platform';

/** A group one may not see answers exactly like one that is not there. */
export const noSuchGroup = (): AppError => new AppError('not-found', 'no-such-group', 'No such group.');

/** The group with this slug. @throws AppError `not-found` also where the caller may not see it */
export const requireGroup = async (tx: Tx, tenantId: TenantId, slug: string): Promise<GroupAccess> => {
  const group = await findGroupAccess(tx, tenantId, slug);
  if (group === null) throw noSuchGroup();
  return group;
};
