import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { asId, type TenantId, type UserId } from '@tempera/core';
import {
  type AccessSubject,
  childSecret,
  currentHmacKey,
  type Doors,
  hashSecret,
  hmacKeysOf,
  type KeyRing,
  newSecret,
} from '@tempera/platform';
import { DOORS, KEYS } from '../platform/platform.tokens.js';

const DAY_SECONDS = 86_400;
/** A login unused for so long is over. */
export const IDLE_SECONDS = 30 * DAY_SECONDS;
/** However often it is refreshed, a login ends after so long. */
export const ABSOLUTE_SECONDS = 90 * DAY_SECONDS;
/** Longer than any secret of ours. */
const MAX_SECRET_LENGTH = 200;

/** A session just opened or refreshed: for whom access tokens may be made, and the refresh token to hand out. */
export interface OpenSession extends AccessSubject {
  readonly refreshToken: string;
}

/** The one answer to a code or token that opens nothing, whether it never was, is used, too old or revoked. */
const refused = (reason: string, message: string): AppError => new AppError('unauthenticated', reason, message);
const loginEnded = (): AppError => refused('refresh-refused', 'This login has ended; log in again.');

/** The family of refresh tokens of one login: opened by a one-time code, then each token trades for its one child. */
@Injectable()
export class RefreshFamily {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(KEYS) private readonly keys: KeyRing,
  ) {}

  /** @throws AppError `unauthenticated` */
  async open(code: string, client: string): Promise<OpenSession> {
    const refreshToken = newSecret('refresh');
    const opened =
      code.length > MAX_SECRET_LENGTH
        ? null
        : await this.doors.asSystem.redeemInvite({
            codeHash: hashSecret(code.trim()),
            client,
            refreshHash: hashSecret(refreshToken),
            keyId: currentHmacKey(this.keys.set).kid,
            idleSeconds: IDLE_SECONDS,
            absoluteSeconds: ABSOLUTE_SECONDS,
          });
    if (opened === null) throw refused('code-refused', 'This code is unknown, used or too old; ask for a new one.');
    return { ...subjectOf(opened, 0), refreshToken };
  }

  /** @throws AppError `unauthenticated`; a token that was copied ends its whole family */
  async rotate(parent: string): Promise<OpenSession> {
    const parentHash = hashSecret(parent);
    const found = parent.length > MAX_SECRET_LENGTH ? null : await this.doors.asSystem.findRefresh(parentHash);
    // The row names the key, so that a token outlives a change of keys and still has one child.
    const key = hmacKeysOf(this.keys.set).find(({ kid }) => kid === found?.keyId);
    if (key === undefined) throw loginEnded();
    const child = childSecret(parent, key.k);
    const rotation = await this.doors.asSystem.rotateRefresh({
      parentHash,
      childHash: hashSecret(child),
      keyId: currentHmacKey(this.keys.set).kid,
      idleSeconds: IDLE_SECONDS,
    });
    if (rotation?.status !== 'rotated' && rotation?.status !== 'repeated') throw loginEnded();
    return { ...subjectOf(rotation, rotation.generation), refreshToken: child };
  }
}

const subjectOf = (
  ids: { readonly tenantId: string; readonly userId: string; readonly sessionId: string },
  generation: number,
): AccessSubject => ({
  tenantId: asId<TenantId>(ids.tenantId),
  userId: asId<UserId>(ids.userId),
  sessionId: ids.sessionId,
  generation,
});
