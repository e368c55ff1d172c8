import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { LoginIdentity, LoginIdentityPage, UnlinkedIdentity } from './login-identity.types.js';
import { LoginIdentitiesService } from './login-identities.service.js';

@Resolver(() => LoginIdentity)
export class LoginIdentityResolver {
  constructor(private readonly service: LoginIdentitiesService) {}

  @ForMachines('admin')
  @Query(() => LoginIdentityPage, {
    description: "The caller's linked sign-ins, or with `userId` another person's (owner, admin); newest first.",
  })
  identities(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<LoginIdentityPage> {
    return this.service.page(caller, userId ?? null, { first, after });
  }

  @ForMachines('admin')
  @Mutation(() => UnlinkedIdentity, {
    description: 'Unlinks a sign-in of the caller, or of anyone in the tenant (owner, admin).',
  })
  unlinkIdentity(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<UnlinkedIdentity> {
    return this.service.unlink(caller, id);
  }
}
