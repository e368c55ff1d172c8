import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { ForMachines, PeopleOnly } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { noSuchUser } from '../users/no-such-user.js';
import { User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { IssuedToken, IssueTokenInput, Token, TokenPage } from './token.types.js';
import { TokensService } from './tokens.service.js';

@Resolver(() => Token)
export class TokenResolver {
  constructor(
    private readonly service: TokensService,
    private readonly users: UsersService,
  ) {}

  @ForMachines('admin')
  @Query(() => TokenPage, { description: "The caller's personal access tokens; admins see all of the tenant's." })
  tokens(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<TokenPage> {
    return this.service.page(caller, { first, after });
  }

  @PeopleOnly()
  @Mutation(() => IssuedToken, { description: 'Issues a personal access token for a machine; shown once.' })
  issueToken(@CurrentCaller() caller: Caller, @Args('input') input: IssueTokenInput): Promise<IssuedToken> {
    return this.service.issue(caller, input);
  }

  @ForMachines('admin')
  @Mutation(() => Token)
  revokeToken(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<Token> {
    return this.service.revoke(caller, id);
  }

  @ResolveField(() => User)
  async user(@Parent() { userId }: Token, @Context() context: GraphqlContext): Promise<User> {
    const user = await context.loaders.of(this.users.byId).load(userId);
    if (user === null) throw noSuchUser();
    return user;
  }
}
