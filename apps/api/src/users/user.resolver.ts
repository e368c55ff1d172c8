import { Args, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines, PeopleOnly } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { InvitationsService } from './invitations.service.js';
import { Invitation, InviteUserInput, LoginCode, User, UserFilter, UserPage } from './user.types.js';
import { UsersService } from './users.service.js';

@Resolver(() => User)
export class UserResolver {
  constructor(
    private readonly usersService: UsersService,
    private readonly invitations: InvitationsService,
  ) {}

  @ForMachines('admin')
  @Query(() => UserPage, { description: 'People by name: admins see everyone, others themselves.' })
  users(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('filter', { type: () => UserFilter, nullable: true }) filter?: UserFilter | null,
  ): Promise<UserPage> {
    return this.usersService.page(caller, { first, after }, filter ?? null);
  }

  @PeopleOnly()
  @Mutation(() => Invitation, {
    description: 'Invites a person into the tenant (owner, admin); the one-time code is shown once.',
  })
  inviteUser(@CurrentCaller() caller: Caller, @Args('input') input: InviteUserInput): Promise<Invitation> {
    return this.invitations.invite(caller, input);
  }

  @PeopleOnly()
  @Mutation(() => LoginCode, {
    description: 'Makes a one-time code with which the caller can log in on another machine.',
  })
  createLoginCode(@CurrentCaller() caller: Caller): Promise<LoginCode> {
    return this.invitations.loginCode(caller);
  }
}
