import { Inject, Injectable } from '@nestjs/common';
import {
  type AccessSubject,
  type AccessTokenOptions,
  type IssuedAccessToken,
  issueAccessToken,
  issueOperatorToken,
  type KeyRing,
  mcpAudience,
} from '@tempera/platform';
import { randomUUID } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import { type Clock, CLOCK, KEYS, SETTINGS } from '../platform/platform.tokens.js';

/** Signs access tokens as this instance. */
@Injectable()
export class TokenIssuer {
  private readonly options: () => AccessTokenOptions;
  private readonly mcpAudience: string;

  constructor(
    @Inject(SETTINGS) { tokenIssuer: issuer, tokenAudience: audience, publicUrl }: Settings,
    @Inject(KEYS) ring: KeyRing,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.mcpAudience = mcpAudience(publicUrl);
    this.options = ring.view((keys) => ({ issuer, audience, keys }));
  }

  forPerson(subject: AccessSubject): Promise<IssuedAccessToken> {
    return issueAccessToken(this.options(), subject, randomUUID(), this.clock.now());
  }

  /** For the MCP endpoint and nothing else. */
  forMcp(subject: AccessSubject): Promise<IssuedAccessToken> {
    const options = { ...this.options(), audience: this.mcpAudience };
    return issueAccessToken(options, subject, randomUUID(), this.clock.now());
  }

  forOperator(operatorId: string): Promise<IssuedAccessToken> {
    return issueOperatorToken(this.options(), operatorId, randomUUID(), this.clock.now());
  }
}
