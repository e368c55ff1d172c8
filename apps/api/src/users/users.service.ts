import { Inject, Injectable } from '@nestjs/common';
import type { UserId } from '@tempera/core';
import { type Doors, findUsers, listUsers, type UserListFilter, type UserRecord } from '@tempera/platform';
import DataLoader from 'dataloader';
import type { Caller } from '../auth/caller.js';
import { inOrderOf } from '../graphql/in-order-of.js';
import type { LoaderDefinition } from '../graphql/loaders.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { DOORS } from '../platform/platform.tokens.js';
import { noSuchUser } from './no-such-user.js';
import type { UserFilter } from './user.types.js';

@Injectable()
export class UsersService {
  /** People by id, each as the caller may see them; null for whom the tenant does not know. */
  readonly byId: LoaderDefinition<UserId, UserRecord | null> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) => findUsers(tx, caller.tenantId, ids));
      return inOrderOf(ids, found, ({ id }) => id);
    });

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly paging: Paging,
  ) {}

  /** Admins see everyone in the tenant, others themselves. */
  async page(caller: Caller, args: PageArgs, given: UserFilter | null): Promise<Page<UserRecord>> {
    const filter: UserListFilter = {
      status: given?.status ?? 'active',
      ...(given?.role ? { role: given.role } : {}),
      ...(given?.name ? { search: given.name } : {}),
    };
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'users', filter });
    const [displayName, id] = request.after ?? [];
    const after = displayName === undefined || id === undefined ? null : { displayName, id };
    const rows = await this.doors.asTenant(caller, (tx) =>
      listUsers(tx, caller.tenantId, filter, { after, take: request.take }),
    );
    return this.paging.pageOf(rows, request, (user) => [user.displayName, user.id]);
  }

  /** The caller as a user. @throws AppError `not-found` only if the account ended a moment ago */
  async self(caller: Caller): Promise<UserRecord> {
    const [user] = await this.doors.asTenant(caller, (tx) => findUsers(tx, caller.tenantId, [caller.userId]));
    if (user === undefined) throw noSuchUser();
    return user;
  }
}
