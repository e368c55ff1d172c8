import type { InvitationRecord } from '@tempera/platform';
import type { InvitationState, SentInvitation } from './invitation.types.js';

const stateOf = ({ usedAt, revokedAt, expiresAt }: InvitationRecord, now: Date): InvitationState => {
  if (usedAt !== null) return 'used';
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
};

export const toSentInvitation = (row: InvitationRecord, now: Date): SentInvitation => {
  const { invitedBy, createdAtText: _position, revokedAt: _revoked, ...shown } = row;
  return { ...shown, invitedById: invitedBy, state: stateOf(row, now) };
};
