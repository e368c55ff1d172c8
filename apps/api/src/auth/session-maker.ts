import { Inject, Injectable } from '@nestjs/common';
import { type AccessSubject, type Doors, findSessionEnd } from '@tempera/platform';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { MeService } from '../tenants/me.service.js';
import { IDLE_SECONDS, type OpenSession } from './refresh-family.js';
import type { AccessGrant, Session } from './session.types.js';
import { TokenIssuer } from './token-issuer.js';

/** Makes what a client is handed from an open session. */
@Injectable()
export class SessionMaker {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly issuer: TokenIssuer,
    private readonly me: MeService,
  ) {}

  async grantFor(subject: AccessSubject): Promise<AccessGrant> {
    const { token, expiresAt } = await this.issuer.forPerson(subject);
    return { accessToken: token, accessExpiresAt: expiresAt };
  }

  /** For the MCP endpoint: of the same session, which ends both. */
  async mcpGrantFor(subject: AccessSubject): Promise<AccessGrant> {
    const { token, expiresAt } = await this.issuer.forMcp(subject);
    return { accessToken: token, accessExpiresAt: expiresAt };
  }

  async sessionOf(session: OpenSession): Promise<Session> {
    const { user, tenant } = await this.me.of(session);
    const end = await this.doors.asTenant(session, (tx) => findSessionEnd(tx, session.tenantId, session.sessionId));
    const idleEnd = new Date(this.clock.now().getTime() + IDLE_SECONDS * 1000);
    return {
      ...(await this.grantFor(session)),
      refreshToken: session.refreshToken,
      refreshExpiresAt: end !== null && end < idleEnd ? end : idleEnd,
      user,
      tenant,
    };
  }
}
