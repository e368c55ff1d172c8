import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Caller, type Identified, notLoggedIn } from './caller.js';
import { SessionCheck } from './session-check.js';
import { TokenVerifier } from './token-verifier.js';

/** Authenticates a request once, before its document is read; resolvers are told the result. */
@Injectable()
export class RequestAuthenticator {
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly sessions: SessionCheck,
  ) {}

  /**
   * Neither caller nor operator: no token at all, which public operations accept.
   * @throws AppError `unauthenticated` for a token that does not hold; `unavailable` when the database is out
   */
  async identify(request: Request): Promise<Identified> {
    if (request.headers.authorization === undefined) return {};
    const verified = await this.verifier.verify(request);
    if (verified === null) throw notLoggedIn();
    if (verified.kind === 'operator') {
      const operator = await this.sessions.operator(verified.claims);
      if (operator === null) throw notLoggedIn();
      return { operator };
    }
    const caller = await this.sessions.caller(verified.claims);
    if (caller === null) throw notLoggedIn();
    return { caller };
  }

  /**
   * Who asks at the MCP endpoint; only a token for that very endpoint says it.
   * @throws AppError `unauthenticated` for any other or none; `unavailable` when the database is out
   */
  async identifyMcp(request: Request): Promise<Caller> {
    const claims = await this.verifier.verifyMcp(request);
    const caller = claims === null ? null : await this.sessions.caller(claims);
    if (caller === null) throw notLoggedIn();
    return caller;
  }
}
