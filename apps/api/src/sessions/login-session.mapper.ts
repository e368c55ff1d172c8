import type { LoginSessionRecord } from '@tempera/platform';
import type { LoginSession } from './login-session.types.js';

/** A session as its list shows it, seen from the session that asks. */
export const toLoginSession = (
  { createdAtText: _position, revokedAt, revokedReason, ...session }: LoginSessionRecord,
  currentId: string,
  now: Date,
): LoginSession => {
  const isExpired = session.expiresAt <= now;
  return {
    ...session,
    current: session.id === currentId,
    endedAt: revokedAt ?? (isExpired ? session.expiresAt : null),
    ended: revokedAt === null ? (isExpired ? 'expired' : null) : (revokedReason ?? 'ended'),
  };
};
