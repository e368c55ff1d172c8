import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import type { TenantRole } from '@tempera/platform';
import { ForMachines, PeopleOnly } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { TenantRoleEnum } from '../tenants/tenant.types.js';
import { DeparturesService } from './departures.service.js';
import { Departure, RemoveUserInput } from './departure.types.js';
import { UserAdminService } from './user-admin.service.js';
import { User } from './user.types.js';

@Resolver(() => User)
export class UserAdminResolver {
  constructor(
    private readonly admin: UserAdminService,
    private readonly departures: DeparturesService,
  ) {}

  @PeopleOnly()
  @Mutation(() => User, {
    description:
      'Gives a person another role in the tenant (owner, admin; never above your own, never the last owner).',
  })
  updateUser(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
    @Args('role', { type: () => TenantRoleEnum }) role: TenantRole,
  ): Promise<User> {
    return this.admin.setRole(caller, id, role);
  }

  @ForMachines('admin')
  @Mutation(() => User, { description: 'Keeps a person out until they are resumed (owner, admin).' })
  suspendUser(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<User> {
    return this.admin.suspend(caller, id);
  }

  @ForMachines('admin')
  @Mutation(() => User, { description: 'Lets a suspended person in again (owner, admin).' })
  resumeUser(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<User> {
    return this.admin.resume(caller, id);
  }

  @PeopleOnly()
  @Mutation(() => Departure, {
    description:
      'Removes a person for good (owner, admin). Nobody sees their private memories; what becomes of the shared ones is your choice.',
  })
  removeUser(@CurrentCaller() caller: Caller, @Args('input') input: RemoveUserInput): Promise<Departure> {
    return this.departures.remove(caller, input);
  }
}
