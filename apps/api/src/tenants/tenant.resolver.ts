import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Tenant, UpdateTenantInput } from './tenant.types.js';
import { TenantsService } from './tenants.service.js';

@Resolver(() => Tenant)
export class TenantResolver {
  constructor(private readonly tenants: TenantsService) {}

  @ForMachines('admin')
  @Mutation(() => Tenant, { description: "Changes the tenant's name or time zone (owner, admin)." })
  updateTenant(@CurrentCaller() caller: Caller, @Args('input') input: UpdateTenantInput): Promise<Tenant> {
    return this.tenants.update(caller, input);
  }
}
