import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { OperatorOnly } from '../auth/access.guard.js';
import { CurrentOperator, type OperatorCaller } from '../auth/caller.js';
import { QuotaService } from './quota.service.js';
import { QuotaInput, TenantQuota } from './usage.types.js';

@OperatorOnly()
@Resolver(() => TenantQuota)
export class QuotaResolver {
  constructor(private readonly quotas: QuotaService) {}

  @Query(() => TenantQuota, {
    description: "A tenant's quota beside its usage, or the instance's defaults (operators only).",
  })
  quota(
    @CurrentOperator() operator: OperatorCaller,
    @Args('tenantId', { type: () => ID, nullable: true }) tenantId?: string | null,
  ): Promise<TenantQuota> {
    return this.quotas.ofTenant(operator, tenantId ?? null);
  }

  @Mutation(() => TenantQuota, {
    description: 'Changes what a tenant may keep and do; in force at once, nothing is taken away (operators only).',
  })
  setQuota(
    @CurrentOperator() operator: OperatorCaller,
    @Args('tenantId', { type: () => ID }) tenantId: string,
    @Args('input') input: QuotaInput,
  ): Promise<TenantQuota> {
    return this.quotas.change(operator, tenantId, input);
  }

  @Mutation(() => TenantQuota, {
    description: 'Changes what holds for tenants whose quota says nothing else (operators only).',
  })
  setDefaultQuota(@CurrentOperator() operator: OperatorCaller, @Args('input') input: QuotaInput): Promise<TenantQuota> {
    return this.quotas.changeDefault(operator, input);
  }
}
