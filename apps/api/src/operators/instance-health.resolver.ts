import { Query, Resolver } from '@nestjs/graphql';
import { OperatorOnly } from '../auth/access.guard.js';
import { CurrentOperator, type OperatorCaller } from '../auth/caller.js';
import { InstanceHealthService } from './instance-health.service.js';
import { InstanceHealth } from './instance-health.types.js';

@OperatorOnly()
@Resolver(() => InstanceHealth)
export class InstanceHealthResolver {
  constructor(private readonly service: InstanceHealthService) {}

  @Query(() => InstanceHealth, { description: 'How the instance is doing (operators only).' })
  instanceHealth(@CurrentOperator() operator: OperatorCaller): Promise<InstanceHealth> {
    return this.service.health(operator);
  }
}
