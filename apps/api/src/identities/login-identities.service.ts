import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { asId, type UserId } from '@tempera/core';
import {
  appendAudit,
  deleteLoginIdentity,
  type Doors,
  findLoginIdentityUser,
  listLoginIdentities,
  type LoginIdentityRecord,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { DOORS } from '../platform/platform.tokens.js';
import { noSuchUser } from '../users/no-such-user.js';
import { requireShown } from '../users/require-shown.js';
import { requireMayEnd } from '../users/require-target.js';
import type { UnlinkedIdentity } from './login-identity.types.js';

/** Sign-ins of other providers that are linked with people. */
@Injectable()
export class LoginIdentitiesService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly paging: Paging,
  ) {}

  /** Of the caller, or of one whom the caller administers, newest first. @throws AppError `not-found` */
  async page(caller: Caller, of: string | null, args: PageArgs): Promise<Page<LoginIdentityRecord>> {
    const userId = of === null ? caller.userId : parseUuid(of);
    if (userId === null) throw noSuchUser();
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'identities', filter: userId });
    const [createdAtText, id] = request.after ?? [];
    const after = createdAtText === undefined || id === undefined ? null : { createdAtText, id };
    const rows = await this.doors.asTenant(caller, async (tx) => {
      await requireShown(tx, caller, asId<UserId>(userId));
      return listLoginIdentities(tx, caller.tenantId, asId<UserId>(userId), { after, take: request.take });
    });
    return this.paging.pageOf<LoginIdentityRecord>(rows, request, (row) => [row.createdAtText, row.id]);
  }

  /**
   * Unlinks one; sessions that it opened go on until they end.
   * @throws AppError `not-found`; `forbidden` for others' to a machine's token, and above one's own role
   */
  async unlink(caller: Caller, identityId: string): Promise<UnlinkedIdentity> {
    const id = parseUuid(identityId);
    if (id === null) throw noSuchIdentity();
    await this.doors.asTenant(caller, async (tx) => {
      const user = await findLoginIdentityUser(tx, caller.tenantId, id);
      if (user === null) throw noSuchIdentity();
      if (user !== caller.userId) await requireMayEnd(tx, caller, user);
      if ((await deleteLoginIdentity(tx, caller.tenantId, id)) === null) throw noSuchIdentity();
      await appendAudit(tx, { action: 'identity.unlinked', subjectKind: 'identity', subjectId: id, details: { user } });
    });
    return { id };
  }
}

const noSuchIdentity = (): AppError => new AppError('not-found', 'no-such-identity', 'No such linked sign-in.');
