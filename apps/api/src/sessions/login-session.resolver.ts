import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { noSuchUser } from '../users/no-such-user.js';
import { User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { LoginSession, LoginSessionPage } from './login-session.types.js';
import { LoginSessionsService } from './login-sessions.service.js';

@Resolver(() => LoginSession)
export class LoginSessionResolver {
  constructor(
    private readonly service: LoginSessionsService,
    private readonly users: UsersService,
  ) {}

  @ForMachines('admin')
  @Query(() => LoginSessionPage, {
    description: "The caller's sessions, or with `userId` another person's (owner, admin); newest first.",
  })
  sessions(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<LoginSessionPage> {
    return this.service.page(caller, userId ?? null, { first, after });
  }

  @ForMachines('admin')
  @Mutation(() => LoginSession, {
    description: 'Ends a session of the caller, or of anyone in the tenant (owner, admin), within five seconds.',
  })
  endSession(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<LoginSession> {
    return this.service.end(caller, id);
  }

  @ResolveField(() => User)
  async user(@Parent() { userId }: LoginSession, @Context() context: GraphqlContext): Promise<User> {
    const user = await context.loaders.of(this.users.byId).load(userId);
    if (user === null) throw noSuchUser();
    return user;
  }
}
