import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { OperatorOnly } from '../auth/access.guard.js';
import { CurrentOperator, type OperatorCaller } from '../auth/caller.js';
import { OperatorStaffService } from './operator-staff.service.js';
import { Operator, OperatorCode } from './operator.types.js';

@OperatorOnly()
@Resolver(() => Operator)
export class OperatorStaffResolver {
  constructor(private readonly staff: OperatorStaffService) {}

  @Query(() => [Operator], { description: 'Who runs the instance, disabled ones too (operators only).' })
  operators(@CurrentOperator() operator: OperatorCaller): Promise<Operator[]> {
    return this.staff.list(operator);
  }

  @Mutation(() => OperatorCode, {
    description: 'A one-time code for a further operator, or with your own name for yourself (operators only).',
  })
  createOperatorCode(
    @CurrentOperator() operator: OperatorCaller,
    @Args('name', { type: () => String }) name: string,
  ): Promise<OperatorCode> {
    return this.staff.createCode(operator, name);
  }

  @Mutation(() => Operator, { description: 'Keeps an operator out for good; not the last one (operators only).' })
  disableOperator(
    @CurrentOperator() operator: OperatorCaller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<Operator> {
    return this.staff.disable(operator, id);
  }
}
