import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { OperatorOnly, Public } from '../auth/access.guard.js';
import { CurrentOperator, type OperatorCaller } from '../auth/caller.js';
import { AttemptLimiter } from '../limits/attempt-limiter.js';
import { ClientAddress } from '../limits/client-address.js';
import { CreatedTenant, CreateTenantInput, OperatorSession } from './operator.types.js';
import { OperatorsService } from './operators.service.js';

@Resolver(() => OperatorSession)
export class OperatorResolver {
  constructor(
    private readonly operators: OperatorsService,
    private readonly attempts: AttemptLimiter,
  ) {}

  @Public()
  @Mutation(() => OperatorSession, { description: "Makes an operator's access token from a one-time operator code." })
  operatorLogin(
    @Args('code', { type: () => String }) code: string,
    @ClientAddress() address: string,
  ): Promise<OperatorSession> {
    return this.attempts.guard('operator', { address, account: code }, () => this.operators.login(code));
  }

  @OperatorOnly()
  @Mutation(() => CreatedTenant, {
    description: "Creates a tenant with its owner's invitation (operators only); the code is shown once.",
  })
  createTenant(
    @CurrentOperator() operator: OperatorCaller,
    @Args('input') input: CreateTenantInput,
  ): Promise<CreatedTenant> {
    return this.operators.createTenant(operator, input);
  }
}
