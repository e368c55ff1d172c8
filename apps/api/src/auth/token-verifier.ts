import { Inject, Injectable } from '@nestjs/common';
import { type KeyRing, mcpAudience, operatorAudience, verificationKeys } from '@tempera/platform';
import type { Request } from 'express';
import { Passport } from 'passport';
import type { Settings } from '../config/settings.js';
import { type Clock, CLOCK, KEYS, SETTINGS } from '../platform/platform.tokens.js';
import { type AccessClaims, type OperatorClaims, parseAccessClaims, parseOperatorClaims } from './claims.js';
import { bearerToken, tokenStrategy } from './token-strategy.js';
import { claimedAudience } from './verify-header.js';

/** Whose token it was. */
export type VerifiedToken =
  | { readonly kind: 'person'; readonly claims: AccessClaims }
  | { readonly kind: 'operator'; readonly claims: OperatorClaims };

type Strategy = VerifiedToken['kind'] | 'mcp';

/** Were both the same, a token for one would open the other. */
const distinct = (mcp: string, graphql: string): string => {
  if (mcp === graphql)
    throw new Error('TOKEN_AUDIENCE is the address of the MCP endpoint, whose tokens are for it alone.');
  return mcp;
};

/** Asks passport for the claims of a request's bearer token: a strategy for people, for operators, and for people at the MCP endpoint. */
@Injectable()
export class TokenVerifier {
  // Of this app alone: passport's shared instance would mix up two apps in one process.
  private readonly passport = new Passport();
  private readonly operatorAudience: string;

  constructor(
    @Inject(SETTINGS) { tokenIssuer: issuer, tokenAudience: audience, publicUrl }: Settings,
    @Inject(KEYS) ring: KeyRing,
    @Inject(CLOCK) clock: Clock,
  ) {
    const keys = ring.view(verificationKeys);
    const parseClaims = (payload: unknown): AccessClaims | null => parseAccessClaims(payload, clock.now());
    const person = tokenStrategy({ issuer, audience, keys, parseClaims });
    const mcp = tokenStrategy({ issuer, audience: distinct(mcpAudience(publicUrl), audience), keys, parseClaims });
    this.operatorAudience = operatorAudience(audience);
    const operator = tokenStrategy({
      issuer,
      audience: this.operatorAudience,
      keys,
      parseClaims: (payload) => parseOperatorClaims(payload, clock.now()),
    });
    this.passport.use('person', person);
    this.passport.use('mcp', mcp);
    this.passport.use('operator', operator);
  }

  /** @returns null for a token that does not hold, whatever is wrong with it */
  async verify(request: Request): Promise<VerifiedToken | null> {
    // Which check to make is read from the token before it is trusted; the check itself then decides.
    if (claimedAudience(bearerToken(request)) === this.operatorAudience) {
      const claims = await this.claims<OperatorClaims>('operator', request);
      return claims === null ? null : { kind: 'operator', claims };
    }
    const claims = await this.claims<AccessClaims>('person', request);
    return claims === null ? null : { kind: 'person', claims };
  }

  /** The claims of a token for the MCP endpoint. @returns null for any other, our own for GraphQL included */
  verifyMcp(request: Request): Promise<AccessClaims | null> {
    return this.claims<AccessClaims>('mcp', request);
  }

  private claims<Claims>(kind: Strategy, request: Request): Promise<Claims | null> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, claims: Claims | false | undefined): void => {
        if (error !== null && error !== undefined)
          reject(error instanceof Error ? error : new Error('passport failed'));
        else resolve(claims === false || claims === undefined ? null : claims);
      };
      const handler: unknown = this.passport.authenticate(kind, { session: false }, done);
      if (typeof handler !== 'function') throw new Error('passport gave no handler.');
      handler(request, request.res, reject);
    });
  }
}
