import { findMembershipsOf, myTenantRole, type ProjectRecord, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { forbidden } from '../tenants/tenant-roles.js';

/** @throws AppError `forbidden` unless the caller maintains the project, or is an owner or admin of the tenant */
export const requireMaintainer = async (tx: Tx, caller: Caller, project: ProjectRecord): Promise<void> => {
  const tenantRole = await myTenantRole(tx);
  if (tenantRole === 'owner' || tenantRole === 'admin') return;
  const own = await findMembershipsOf(tx, caller.tenantId, caller.userId);
  const maintains = own.some(({ projectId, role }) => projectId === project.id && role === 'maintainer');
  if (!maintains || tenantRole === 'viewer') {
    throw forbidden('Only an owner, an admin or a maintainer of the project may do this.');
  }
};
