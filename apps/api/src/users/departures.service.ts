import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import type { UserId } from '@tempera/core';
import {
  appendAudit,
  countLeftBehind,
  deleteMembershipsOf,
  type Doors,
  endSessionsOf,
  insertDeparture,
  settleDeparture,
  setUserStatus,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireLogin } from '../auth/require-login.js';
import { SessionCheck } from '../auth/session-check.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import type { Departure, RemoveUserInput } from './departure.types.js';
import { noSuchUser } from './no-such-user.js';
import { findPerson, requireOther, requirePresent, requireTarget, type Target } from './require-target.js';

/** Memories of one transaction, well below the statement timeout. */
const BATCH = 500;
/** Batches while the admin waits; the worker settles the rest. */
const BATCHES_AT_ONCE = 10;

/** People who leave. */
@Injectable()
export class DeparturesService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly sessions: SessionCheck,
  ) {}

  /**
   * Removes a person: out at once, from every project too. Their private memories are seen by nobody and erased later;
   * what becomes of the shared ones is chosen, recorded with the removal and settled in batches.
   * @throws AppError `forbidden`, `not-found`, `conflict` for oneself, for the last owner and for who is gone already
   */
  async remove(caller: Caller, input: RemoveUserInput): Promise<Departure> {
    if ((input.sharedMemories === 'transfer') !== (input.transferTo !== undefined && input.transferTo !== null)) {
      throw new AppError(
        'invalid-input',
        'transfer-to',
        '`transferTo` names who takes over, with TRANSFER and only then.',
      );
    }
    const { target, sessionsEnded } = await this.doors.asTenant(caller, (tx) => this.close(tx, caller, input));
    this.sessions.forget();
    const { user } = target;
    const finished = await this.settle(caller, user.id);
    return {
      user: { ...user, status: 'removed' },
      sharedMemories: input.sharedMemories,
      finished,
      underTheirName: await this.doors.asTenant(caller, (tx) => countLeftBehind(tx, user.id)),
      sessionsEnded,
    };
  }

  private async close(
    tx: Tx,
    caller: Caller,
    { userId: id, sharedMemories: choice, transferTo }: RemoveUserInput,
  ): Promise<{ readonly target: Target; readonly sessionsEnded: number }> {
    await requireLogin(tx, caller);
    const target = await requireTarget(tx, caller, id);
    requirePresent(target);
    requireOther(caller, target, 'remove');
    const { tenantId } = caller;
    const userId = target.user.id;
    const toUserId = transferTo ? await this.requireHeir(tx, caller, userId, transferTo) : null;
    const at = this.clock.now();
    await setUserStatus(tx, tenantId, userId, 'removed', at);
    await deleteMembershipsOf(tx, tenantId, userId);
    const sessionsEnded = await endSessionsOf(tx, tenantId, userId, { at, reason: 'removed' });
    await insertDeparture(tx, tenantId, { userId, choice, toUserId, requestedBy: caller.userId, requestedAt: at });
    const details = { sharedMemories: choice, to: toUserId };
    await appendAudit(tx, { action: 'user.removed', subjectKind: 'user', subjectId: userId, details });
    return { target, sessionsEnded };
  }

  /** Who takes over: an active other person of the tenant. */
  private async requireHeir(tx: Tx, caller: Caller, leaver: UserId, id: string): Promise<UserId> {
    const user = await findPerson(tx, caller, id);
    if (user.status !== 'active' || user.id === leaver) throw noSuchUser();
    return user.id;
  }

  private async settle(caller: Caller, userId: UserId): Promise<boolean> {
    for (let batch = 0; batch < BATCHES_AT_ONCE; batch += 1) {
      if (await this.doors.asTenant(caller, (tx) => settleDeparture(tx, userId, BATCH))) return true;
    }
    return false;
  }
}
