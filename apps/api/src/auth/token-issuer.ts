import { Inject, Injectable } from '@nestjs/common';
import {
  type AccessSubject,
  type AccessTokenOptions,
  type IssuedAccessToken,
  issueAccessToken,
  issueOperatorToken,
  type KeyRing,
} from '@tempera/platform';
import { randomUUID } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import { type Clock, CLOCK, KEYS, SETTINGS } from '../platform/platform.tokens.js';

/** Signs access tokens as this instance. */
@Injectable()
export class TokenIssuer {
  private readonly options: () => AccessTokenOptions;

  constructor(
    @Inject(SETTINGS) { tokenIssuer: issuer, tokenAudience: audience }: Settings,
    @Inject(KEYS) ring: KeyRing,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.options = ring.view((keys) => ({ issuer, audience, keys }));
  }

  forPerson(subject: AccessSubject): Promise<IssuedAccessToken> {
    return issueAccessToken(this.options(), subject, randomUUID(), this.clock.now());
  }

  forOperator(operatorId: string): Promise<IssuedAccessToken> {
    return issueOperatorToken(this.options(), operatorId, randomUUID(), this.clock.now());
  }
}
