import { Inject, Injectable } from '@nestjs/common';
import {
  appendAudit,
  type Doors,
  setUserRole,
  setUserStatus,
  type TenantRole,
  type UserRecord,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireLogin } from '../auth/require-login.js';
import { SessionCheck } from '../auth/session-check.js';
import { DOORS } from '../platform/platform.tokens.js';
import { forbidden, isAtMost } from '../tenants/tenant-roles.js';
import { requireOther, requirePresent, requireTarget } from './require-target.js';

/** What admins do with people who stay: their role, and keeping them out for a while. */
@Injectable()
export class UserAdminService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly sessions: SessionCheck,
  ) {}

  /** @throws AppError `forbidden` above one's own role, `conflict` for the last owner, `not-found` */
  setRole(caller: Caller, id: string, role: TenantRole): Promise<UserRecord> {
    return this.doors.asTenant(caller, async (tx) => {
      // Else whoever steals an admin's machine token makes an admin that outlives it.
      await requireLogin(tx, caller);
      const target = await requireTarget(tx, caller, id);
      requirePresent(target);
      if (!isAtMost(role, target.ownRole)) throw forbidden('No one can give a higher role than their own.');
      if (target.user.role === role) return target.user;
      await setUserRole(tx, caller.tenantId, target.user.id, role);
      const details = { before: target.user.role, role };
      await appendAudit(tx, { action: 'user.role-changed', subjectKind: 'user', subjectId: target.user.id, details });
      return { ...target.user, role };
    });
  }

  /**
   * Keeps a person out, within five seconds, until they are resumed. Their sessions stay and open nothing meanwhile: ended
   * ones would lock the person out for good, since only they themselves can make a code to log in.
   */
  suspend(caller: Caller, id: string): Promise<UserRecord> {
    return this.setStatus(caller, id, 'suspended');
  }

  resume(caller: Caller, id: string): Promise<UserRecord> {
    return this.setStatus(caller, id, 'active');
  }

  private async setStatus(caller: Caller, id: string, status: 'active' | 'suspended'): Promise<UserRecord> {
    const changed = await this.doors.asTenant(caller, async (tx) => {
      const target = await requireTarget(tx, caller, id);
      requirePresent(target);
      if (status === 'suspended') requireOther(caller, target, 'suspend');
      if (target.user.status === status) return target.user;
      await setUserStatus(tx, caller.tenantId, target.user.id, status);
      const action = status === 'active' ? 'user.resumed' : 'user.suspended';
      await appendAudit(tx, { action, subjectKind: 'user', subjectId: target.user.id });
      return { ...target.user, status };
    });
    this.sessions.forget();
    return changed;
  }
}
