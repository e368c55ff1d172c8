import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { asId, type TenantId, type UserId } from '@tempera/core';
import { appendAudit, type Doors, endSession, endSessionsOf, hashSecret, isPersonalToken } from '@tempera/platform';
import { requireText } from '../graphql/require-text.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import type { Caller } from './caller.js';
import { RefreshFamily } from './refresh-family.js';
import { SessionCheck } from './session-check.js';
import { SessionMaker } from './session-maker.js';
import type { AccessGrant, LoggedOut, Session } from './session.types.js';

/** Opens, renews and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly family: RefreshFamily,
    private readonly checks: SessionCheck,
    private readonly maker: SessionMaker,
  ) {}

  /** @throws AppError `unauthenticated` for a code that opens nothing, `invalid-input` for a client name too long */
  async login(code: string, client: string): Promise<Session> {
    const name = client.trim() === '' ? '' : requireText(client, 'client', 200);
    return this.maker.sessionOf(await this.family.open(code, name));
  }

  /** @throws AppError `unauthenticated` */
  async refresh(refreshToken: string): Promise<Session> {
    return this.maker.sessionOf(await this.family.rotate(refreshToken));
  }

  /** @throws AppError `unauthenticated` for anything but a living personal access token */
  async exchange(token: string): Promise<AccessGrant> {
    // The check digits spare the database what was only mistyped or guessed.
    const found = isPersonalToken(token) ? await this.doors.asSystem.findPat(hashSecret(token)) : null;
    if (found === null)
      throw new AppError('unauthenticated', 'token-refused', 'This token is unknown, revoked or too old.');
    return this.maker.grantFor({
      tenantId: asId<TenantId>(found.tenantId),
      userId: asId<UserId>(found.userId),
      sessionId: found.sessionId,
      generation: 0,
    });
  }

  /** A short-lived token of the caller's session for the MCP endpoint. */
  issueMcpToken({ tenantId, userId, sessionId }: Caller): Promise<AccessGrant> {
    // Generation 0 confirms no refresh: this token shows nothing of whether one arrived.
    return this.maker.mcpGrantFor({ tenantId, userId, sessionId, generation: 0 });
  }

  /** Ends the caller's session, or every one of theirs, machines' included. */
  async logout(caller: Caller, everywhere: boolean): Promise<LoggedOut> {
    const end = { at: this.clock.now(), reason: everywhere ? 'logged out everywhere' : 'logged out' };
    const sessionsEnded = await this.doors.asTenant(caller, async (tx) => {
      const { tenantId, userId, sessionId } = caller;
      const count = everywhere
        ? await endSessionsOf(tx, tenantId, userId, end)
        : await endSession(tx, tenantId, sessionId, end);
      const details = { everywhere };
      await appendAudit(tx, { action: 'session.closed', subjectKind: 'session', subjectId: sessionId, details });
      return count;
    });
    this.checks.forget();
    return { sessionsEnded };
  }
}
