import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { asId, type UserId } from '@tempera/core';
import {
  appendAudit,
  type Doors,
  endSession,
  findLoginSession,
  listLoginSessions,
  type LoginSessionRecord,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { SessionCheck } from '../auth/session-check.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { noSuchUser } from '../users/no-such-user.js';
import { requireMayEnd } from '../users/require-target.js';
import { requireShown } from '../users/require-shown.js';
import { toLoginSession } from './login-session.mapper.js';
import type { LoginSession } from './login-session.types.js';

const noSuchSession = (): AppError => new AppError('not-found', 'no-such-session', 'No such session.');

/** Lists logins and ends them from afar: a person their own, an admin everyone's in the tenant. */
@Injectable()
export class LoginSessionsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
    private readonly checks: SessionCheck,
  ) {}

  /** Sessions of one person, newest first. @throws AppError `not-found` for a person whose sessions are not shown */
  async page(caller: Caller, of: string | null, args: PageArgs): Promise<Page<LoginSession>> {
    const userId = of === null ? caller.userId : parseUuid(of);
    if (userId === null) throw noSuchUser();
    const bound = { tenantId: caller.tenantId, list: 'sessions', filter: userId };
    const request = this.paging.request(args, bound);
    const [createdAtText, id] = request.after ?? [];
    const after = createdAtText === undefined || id === undefined ? null : { createdAtText, id };
    const rows = await this.doors.asTenant(caller, async (tx) => {
      await requireShown(tx, caller, asId<UserId>(userId));
      return listLoginSessions(tx, caller.tenantId, asId<UserId>(userId), { after, take: request.take });
    });
    const page = this.paging.pageOf<LoginSessionRecord>(rows, request, (row) => [row.createdAtText, row.id]);
    const now = this.clock.now();
    return { ...page, nodes: page.nodes.map((row) => toLoginSession(row, caller.sessionId, now)) };
  }

  /**
   * Ends a session; one that is over stays as it ended.
   * @throws AppError `not-found`; `forbidden` for others' sessions to a machine's token, and above one's own role
   */
  async end(caller: Caller, sessionId: string): Promise<LoginSession> {
    const id = parseUuid(sessionId);
    if (id === null) throw noSuchSession();
    const at = this.clock.now();
    const ended = await this.doors.asTenant(caller, async (tx) => {
      const session = await findLoginSession(tx, caller.tenantId, id);
      if (session === null) throw noSuchSession();
      if (session.userId !== caller.userId) await requireMayEnd(tx, caller, session.userId);
      if (session.revokedAt !== null || session.expiresAt <= at) return session;
      const reason = session.userId === caller.userId ? 'ended by its owner' : 'ended by an admin';
      await endSession(tx, caller.tenantId, id, { at, reason });
      const details = { user: session.userId };
      await appendAudit(tx, { action: 'session.ended', subjectKind: 'session', subjectId: id, details });
      return { ...session, revokedAt: at, revokedReason: reason };
    });
    this.checks.forget();
    return toLoginSession(ended, caller.sessionId, at);
  }
}
