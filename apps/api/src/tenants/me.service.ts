import { Inject, Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '@tempera/core';
import { type Doors, findMembershipsOf, findTenant, findUsers } from '@tempera/platform';
import { notLoggedIn } from '../auth/caller.js';
import { DOORS } from '../platform/platform.tokens.js';
import type { Me } from './me.types.js';

/** Whose own view is asked. */
interface Person {
  readonly tenantId: TenantId;
  readonly userId: UserId;
}

@Injectable()
export class MeService {
  constructor(@Inject(DOORS) private readonly doors: Doors) {}

  /** @throws AppError `unauthenticated` when the person or the tenant ended a moment ago */
  of(person: Person): Promise<Me> {
    return this.doors.asTenant(person, async (tx) => {
      const tenant = await findTenant(tx, person.tenantId);
      const [user] = await findUsers(tx, person.tenantId, [person.userId]);
      if (tenant === null || user === undefined) throw notLoggedIn();
      return { user, tenant, memberships: await findMembershipsOf(tx, person.tenantId, person.userId) };
    });
  }
}
