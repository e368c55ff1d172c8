import { Inject } from '@nestjs/common';
import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import type { Settings } from '../config/settings.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { SETTINGS } from '../platform/platform.tokens.js';
import { Invitation, User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { SentInvitation, SentInvitationPage } from './invitation.types.js';
import { SentInvitationsService } from './sent-invitations.service.js';

@Resolver(() => SentInvitation)
export class SentInvitationResolver {
  constructor(
    private readonly service: SentInvitationsService,
    private readonly users: UsersService,
  ) {}

  @ForMachines('admin')
  @Query(() => SentInvitationPage, { description: 'Invitations of the tenant, newest first (owner, admin).' })
  invitations(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<SentInvitationPage> {
    return this.service.page(caller, { first, after });
  }

  @ForMachines('admin')
  @Mutation(() => SentInvitation, { description: 'Takes an invitation back that nobody has accepted (owner, admin).' })
  revokeInvitation(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<SentInvitation> {
    return this.service.revoke(caller, id);
  }

  @ResolveField(() => User, { nullable: true, description: "Null for the first owner's, which an operator sent." })
  invitedBy(
    @Parent() { invitedById }: SentInvitation,
    @Context() context: GraphqlContext,
  ): Promise<User | null> | null {
    return invitedById === null ? null : context.loaders.of(this.users.byId).load(invitedById);
  }
}

@Resolver(() => Invitation)
export class InvitationResolver {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @ResolveField(() => String, {
    description: 'A page that says what to do. The code is behind its #, which no server and no log sees.',
  })
  link(@Parent() { code }: Invitation): string {
    return `${this.settings.publicUrl}/invite#${code}`;
  }
}
