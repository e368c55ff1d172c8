import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { OperatorOnly } from '../auth/access.guard.js';
import { CurrentOperator, type OperatorCaller } from '../auth/caller.js';
import { GRACE_DAYS, TenanciesService } from './tenancies.service.js';
import { TenantDeletion, TenantFilter, TenantOverview, TenantOverviewPage } from './tenancy.types.js';

@OperatorOnly()
@Resolver(() => TenantOverview)
export class TenancyResolver {
  constructor(private readonly tenancies: TenanciesService) {}

  @Query(() => TenantOverviewPage, { description: "The instance's tenants by name (operators only)." })
  tenants(
    @CurrentOperator() operator: OperatorCaller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('filter', { type: () => TenantFilter, nullable: true }) filter?: TenantFilter | null,
  ): Promise<TenantOverviewPage> {
    return this.tenancies.page(operator, { first, after }, filter ?? null);
  }

  @Mutation(() => TenantOverview, {
    description: 'Keeps everyone of a tenant out, within five seconds, and its nights still (operators only).',
  })
  suspendTenant(
    @CurrentOperator() operator: OperatorCaller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<TenantOverview> {
    return this.tenancies.suspend(operator, id);
  }

  @Mutation(() => TenantOverview, { description: 'Opens a suspended tenant again (operators only).' })
  resumeTenant(
    @CurrentOperator() operator: OperatorCaller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<TenantOverview> {
    return this.tenancies.resume(operator, id);
  }

  @Mutation(() => TenantOverview, {
    description:
      'Deletes a tenant (operators only): closed at once, erased by the worker when its grace is over, until when resumeTenant takes it back. `confirmName` is its name. Deleted again, the shorter grace holds.',
  })
  deleteTenant(
    @CurrentOperator() operator: OperatorCaller,
    @Args('id', { type: () => ID }) id: string,
    @Args('confirmName', { type: () => String }) confirmName: string,
    @Args('graceDays', { type: () => Int, defaultValue: GRACE_DAYS, description: '0 to 365; 0: for good at once.' })
    graceDays: number,
  ): Promise<TenantOverview> {
    return this.tenancies.delete(operator, id, confirmName, graceDays);
  }

  @Query(() => TenantDeletion, {
    description: 'The deletion of a tenant that is there or was, or its receipt (operators only).',
  })
  tenantDeletion(
    @CurrentOperator() operator: OperatorCaller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<TenantDeletion> {
    return this.tenancies.deletion(operator, id);
  }
}
