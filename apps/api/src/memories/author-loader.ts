import { Injectable } from '@nestjs/common';
import type { UserId } from '@tempera/core';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import type { User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';

/** Who wrote something; everyone in the tenant knows the name. */
@Injectable()
export class AuthorLoader {
  constructor(private readonly users: UsersService) {}

  /** One query for all authors of a request. */
  async load(context: GraphqlContext, id: UserId): Promise<User> {
    const user = await context.loaders.of(this.users.byId).load(id);
    // The account may have ended between two statements; the text stays someone's.
    return user ?? { id, displayName: 'someone', email: null, role: null, status: null, createdAt: null };
  }
}
