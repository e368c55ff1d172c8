import { Inject, Injectable } from '@nestjs/common';
import { type KeyRing, operatorAudience, verificationKeys } from '@tempera/platform';
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

type Kind = VerifiedToken['kind'];

/** Asks passport for the claims of a request's bearer token: one strategy for people, one for operators. */
@Injectable()
export class TokenVerifier {
  // Of this app alone: passport's shared instance would mix up two apps in one process.
  private readonly passport = new Passport();
  private readonly operatorAudience: string;

  constructor(
    @Inject(SETTINGS) { tokenIssuer: issuer, tokenAudience: audience }: Settings,
    @Inject(KEYS) ring: KeyRing,
    @Inject(CLOCK) clock: Clock,
  ) {
    const keys = ring.view(verificationKeys);
    const person = tokenStrategy({ issuer, audience, keys, parseClaims: (p) => parseAccessClaims(p, clock.now()) });
    this.operatorAudience = operatorAudience(audience);
    const operator = tokenStrategy({
      issuer,
      audience: this.operatorAudience,
      keys,
      parseClaims: (payload) => parseOperatorClaims(payload, clock.now()),
    });
    this.passport.use('person', person);
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

  private claims<Claims>(kind: Kind, request: Request): Promise<Claims | null> {
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
