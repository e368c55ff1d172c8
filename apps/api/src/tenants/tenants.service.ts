import { Inject, Injectable } from '@nestjs/common';
import {
  appendAudit,
  type Doors,
  findTenant,
  promiseSchedule,
  type TenantRecord,
  updateTenant,
} from '@tempera/platform';
import { type Caller, notLoggedIn } from '../auth/caller.js';
import { requireText } from '../graphql/require-text.js';
import { DOORS } from '../platform/platform.tokens.js';
import { requireTimeZone } from './require-time-zone.js';
import { requireAdmin } from './tenant-roles.js';
import type { UpdateTenantInput } from './tenant.types.js';

@Injectable()
export class TenantsService {
  constructor(@Inject(DOORS) private readonly doors: Doors) {}

  /** @throws AppError `forbidden` for who is no admin, `invalid-input` */
  update(caller: Caller, input: UpdateTenantInput): Promise<TenantRecord> {
    const { tenantId } = caller;
    const change = {
      ...(typeof input.name === 'string' ? { name: requireText(input.name, 'name', 200) } : {}),
      ...(typeof input.timeZone === 'string' ? { timeZone: requireTimeZone(input.timeZone) } : {}),
    };
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      await updateTenant(tx, tenantId, change);
      // Its nights move with its clock.
      if (change.timeZone !== undefined) await promiseSchedule(tx, tenantId);
      const tenant = await findTenant(tx, tenantId);
      if (tenant === null) throw notLoggedIn();
      const fields = Object.keys(change).join(' ');
      await appendAudit(tx, {
        action: 'tenant.updated',
        subjectKind: 'tenant',
        subjectId: tenantId,
        details: { fields },
      });
      return tenant;
    });
  }
}
