import { Inject, Injectable } from '@nestjs/common';
import type { UserId } from '@tempera/core';
import {
  type DayRecord,
  type Doors,
  type KeptBy,
  readMyQuota,
  readUsage,
  readUsageDays,
  usageByProject,
  usageByUser,
} from '@tempera/platform';
import { type Caller, notLoggedIn } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { activityByDay, activityOf, byUser } from './activity.js';
import { DAYS_SHOWN, SHARES_SHOWN, type Usage, type UserUsage } from './usage.types.js';

/** What a tenant and its people keep and do, beside what they may. */
@Injectable()
export class UsageService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The database decides how much of it the caller is told. @throws AppError `unauthenticated` */
  async of(caller: Caller): Promise<Usage> {
    const { tenantId } = caller;
    return this.doors.asTenant(caller, async (tx) => {
      const quota = await readMyQuota(tx);
      if (quota === null) throw notLoggedIn();
      const tenant = await readUsage(tx, tenantId);
      const days = await readUsageDays(tx, tenantId, DAYS_SHOWN);
      const kept = await usageByUser(tx, SHARES_SHOWN);
      const projects = await usageByProject(tx, SHARES_SHOWN);
      return {
        quota,
        tenant,
        days: activityByDay(days),
        users: this.usersOf(kept, days, caller.userId),
        projects: projects.map(({ id, memories, bytes }) => ({ projectId: id, memories, bytes })),
      };
    });
  }

  private usersOf(kept: readonly KeptBy<UserId>[], days: readonly DayRecord[], me: UserId): UserUsage[] {
    const today = this.clock.now().toISOString().slice(0, 10);
    const activities = byUser(days);
    const keeping = new Map(kept.map((share) => [share.id, share]));
    const ids = [...new Set([me, ...keeping.keys(), ...activities.keys()])].slice(0, SHARES_SHOWN);
    return ids.map((userId) => {
      const did = activities.get(userId) ?? [];
      const { memories = 0, bytes = 0 } = keeping.get(userId) ?? {};
      return {
        userId,
        memories,
        bytes,
        today: activityOf(did.filter(({ day }) => day === today)),
        last30Days: activityOf(did),
      };
    });
  }
}
