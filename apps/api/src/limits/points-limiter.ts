import { Inject, Injectable } from '@nestjs/common';
import { AppError, isAppError } from '@tempera/client-kit';
import { chargePoints, type Doors } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { DOORS } from '../platform/platform.tokens.js';
import { PointLease } from './point-lease.js';

/** Milliseconds since some moment, never running backwards. */
export type Stopwatch = () => number;
export const STOPWATCH = Symbol('STOPWATCH');

/** Buckets that a process remembers; of a forgotten one the points taken ahead are lost. */
const MAX_BUCKETS = 20_000;

/** The two buckets a request is charged to. */
interface Buckets {
  readonly user: PointLease;
  readonly tenant: PointLease;
}

/**
 * Lets each user and each tenant spend only so many points a minute, charged before a request runs. The buckets are rows in
 * the database, so that replicas share them. Each process takes about a second's worth ahead and spends it from memory: a
 * request in ten or so asks the database, in a short transaction of its own, one at a time for a tenant, so that a busy
 * tenant holds one connection and no more. Whoever is over the limit is refused from memory.
 */
@Injectable()
export class PointsLimiter {
  private readonly leases = new Map<string, PointLease>();
  private readonly queues = new Map<string, Promise<void>>();

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    // Spans of time alone; the moments are the database's.
    @Inject(STOPWATCH) private readonly elapsedMs: Stopwatch,
  ) {}

  /** @throws AppError `limit-exceeded` with the limit, its size and when to try again; then nothing was charged */
  async charge(caller: Caller, points: number): Promise<void> {
    const buckets = {
      user: this.lease(`${caller.tenantId} ${caller.userId}`),
      tenant: this.lease(caller.tenantId),
    };
    if (this.spend(buckets, points)) return;
    await this.inTurn(caller.tenantId, async () => {
      // Whoever came before may have taken enough ahead, or learnt that there is none.
      while (!this.spend(buckets, points)) await this.takeAhead(caller, buckets, points);
    });
  }

  /** Spends points that are at hand. @throws AppError where it is certain that there are none */
  private spend({ user, tenant }: Buckets, points: number): boolean {
    const nowMs = this.elapsedMs();
    const waitMs = { user: user.waitMs(points, nowMs), tenant: tenant.waitMs(points, nowMs) };
    if (waitMs.user > 0 || waitMs.tenant > 0) {
      const limit = waitMs.user >= waitMs.tenant ? 'user' : 'tenant';
      throw tooMuch(limit, { user, tenant }[limit].size ?? 0, Math.max(waitMs.user, waitMs.tenant), points);
    }
    if (!user.has(points, nowMs) || !tenant.has(points, nowMs)) return false;
    user.use(points);
    tenant.use(points);
    return true;
  }

  private async takeAhead(caller: Caller, { user, tenant }: Buckets, points: number): Promise<void> {
    const askedMs = this.elapsedMs();
    const asked = { user: user.asking(points, askedMs), tenant: tenant.asking(points, askedMs) };
    const charged = await this.doors.asTenant(caller, (tx) => chargePoints(tx, asked.user, asked.tenant));
    const nowMs = this.elapsedMs();
    user.learn(charged.user, nowMs);
    tenant.learn(charged.tenant, nowMs);
    if (charged.granted) return;
    const waitMs = { user: user.waitMs(points, nowMs), tenant: tenant.waitMs(points, nowMs) };
    const limit = waitMs.user >= waitMs.tenant ? 'user' : 'tenant';
    throw tooMuch(limit, { user, tenant }[limit].size ?? 0, Math.max(waitMs.user, waitMs.tenant), points);
  }

  /**
   * One at a time for each key. A failure is the failure of its own turn only, but where the database does not answer, those
   * who waited behind it are told the same at once: each in turn would only wait for the same connection as long again.
   */
  private async inTurn(key: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.queues.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.catch((error: unknown) => {
      if (isAppError(error) && error.kind === 'unavailable') throw error;
    });
    // Nobody may be waiting behind it.
    settled.catch(() => undefined);
    this.queues.set(key, settled);
    try {
      await turn;
    } finally {
      if (this.queues.get(key) === settled) this.queues.delete(key);
    }
  }

  private lease(key: string): PointLease {
    const lease = this.leases.get(key) ?? new PointLease();
    this.leases.delete(key);
    this.leases.set(key, lease);
    if (this.leases.size > MAX_BUCKETS) {
      const oldest = this.leases.keys().next();
      if (!oldest.done) this.leases.delete(oldest.value);
    }
    return lease;
  }
}

const OF: Readonly<Record<'user' | 'tenant', string>> = { user: 'You have', tenant: 'Your tenant has' };

const tooMuch = (limit: 'user' | 'tenant', pointsPerMinute: number, waitMs: number, cost: number): AppError => {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `${OF[limit]} used up ${pointsPerMinute} points a minute; this request costs ${cost}. Try again in ${retryAfterSeconds} s.`;
  return new AppError('limit-exceeded', 'points', message, {
    details: { limit, pointsPerMinute, cost, retryAfterSeconds },
  });
};
