import { Inject, Injectable } from '@nestjs/common';
import { asId, type TenantId, type UserId } from '@tempera/core';
import { currentHmacKey, type Doors, hashSecret, type KeyRing, newSecret } from '@tempera/platform';
import { ABSOLUTE_SECONDS, IDLE_SECONDS } from '../auth/refresh-family.js';
import { SessionMaker } from '../auth/session-maker.js';
import type { Session } from '../auth/session.types.js';
import { DOORS, KEYS } from '../platform/platform.tokens.js';
import { OauthError } from './oauth-error.js';

const MAX_SECRET_LENGTH = 200;

/** Why a device is not let in (yet), in the words of RFC 8628, section 3.5. */
const REFUSALS = {
  pending: () => new OauthError('authorization_pending', 'Nobody has answered yet.'),
  slow_down: () => new OauthError('slow_down', 'Wait five seconds longer between questions.'),
  denied: () => new OauthError('access_denied', 'The login was denied.'),
  expired: () => new OauthError('expired_token', 'Nobody answered in time; start anew.'),
};

/** What a poll of a device comes to: a login once it was approved, else why not. */
@Injectable()
export class DeviceLoginsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(KEYS) private readonly keys: KeyRing,
    private readonly maker: SessionMaker,
  ) {}

  /** @throws OauthError */
  async redeem(deviceCode: string): Promise<Session> {
    const refreshToken = newSecret('refresh');
    const answer =
      deviceCode.length > MAX_SECRET_LENGTH
        ? null
        : await this.doors.asSystem.redeemDeviceCode({
            deviceHash: hashSecret(deviceCode),
            refreshHash: hashSecret(refreshToken),
            keyId: currentHmacKey(this.keys.set).kid,
            idleSeconds: IDLE_SECONDS,
            absoluteSeconds: ABSOLUTE_SECONDS,
          });
    if (answer === null) throw new OauthError('invalid_grant', 'This device code is unknown or was used.');
    if (answer.status !== 'opened') throw REFUSALS[answer.status]();
    return this.maker.sessionOf({
      tenantId: asId<TenantId>(answer.tenantId),
      userId: asId<UserId>(answer.userId),
      sessionId: answer.sessionId,
      generation: 0,
      refreshToken,
    });
  }
}
