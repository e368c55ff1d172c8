import { Inject, Injectable } from '@nestjs/common';
import { type Doors, type EncoderPool, tenantCondition } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { DOORS, ENCODERS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import type { DoctorFinding } from './doctor.types.js';
import { lookAtEncoders } from './look-at-encoders.js';
import { lookAtTenant } from './tenant-findings.js';

/** What is wrong with a tenant, for its admins: numbers, never a memory. */
@Injectable()
export class TenantDoctorService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
  ) {}

  /** @throws AppError `forbidden` for who is no admin */
  async look(caller: Caller): Promise<DoctorFinding[]> {
    const condition = await this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return tenantCondition(tx);
    });
    if (condition === null) throw new Error('An admin was told nothing of the tenant.');
    return [...lookAtEncoders(this.encoders.statuses()), ...lookAtTenant(condition)];
  }
}
