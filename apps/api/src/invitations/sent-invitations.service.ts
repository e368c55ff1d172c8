import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  type Doors,
  findInvitation,
  type InvitationRecord,
  listInvitations,
  revokeInvitation,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { forbidden, isAtMost, requireAdmin } from '../tenants/tenant-roles.js';
import { toSentInvitation } from './invitation.mapper.js';
import type { SentInvitation } from './invitation.types.js';

const noSuchInvitation = (): AppError => new AppError('not-found', 'no-such-invitation', 'No such invitation.');

/** Invitations after they were sent: who was asked, and taking one back. */
@Injectable()
export class SentInvitationsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
  ) {}

  /** All of the tenant, newest first. @throws AppError `forbidden` */
  async page(caller: Caller, args: PageArgs): Promise<Page<SentInvitation>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'invitations' });
    const [createdAtText, id] = request.after ?? [];
    const after = createdAtText === undefined || id === undefined ? null : { createdAtText, id };
    const rows = await this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return listInvitations(tx, caller.tenantId, { after, take: request.take });
    });
    const page = this.paging.pageOf<InvitationRecord>(rows, request, (row) => [row.createdAtText, row.id]);
    const now = this.clock.now();
    return { ...page, nodes: page.nodes.map((row) => toSentInvitation(row, now)) };
  }

  /** Takes one back; what is used, too old or taken back stays as it is. @throws AppError `forbidden`, `not-found`, `conflict` */
  async revoke(caller: Caller, invitationId: string): Promise<SentInvitation> {
    const id = parseUuid(invitationId);
    const at = this.clock.now();
    return this.doors.asTenant(caller, async (tx) => {
      const ownRole = await requireAdmin(tx);
      const found = id === null ? null : await findInvitation(tx, caller.tenantId, id);
      if (found === null) throw noSuchInvitation();
      if (!isAtMost(found.role, ownRole))
        throw forbidden('No one takes back an invitation to a higher role than their own.');
      if (found.usedAt !== null) throw new AppError('conflict', 'invitation-used', 'The invitation was accepted.');
      if (found.revokedAt !== null) return toSentInvitation(found, at);
      const isMine = await revokeInvitation(tx, caller.tenantId, found.id, at);
      if (!isMine) throw new AppError('conflict', 'invitation-used', 'The invitation was accepted a moment ago.');
      await appendAudit(tx, { action: 'invitation.revoked', subjectKind: 'invitation', subjectId: found.id });
      return toSentInvitation({ ...found, revokedAt: at }, at);
    });
  }
}
