import { Args, Int, Query, Resolver } from '@nestjs/graphql';
import { ChainVerdict } from '../audit/chain-verdict.types.js';
import { OperatorOnly } from '../auth/access.guard.js';
import { CurrentOperator, type OperatorCaller } from '../auth/caller.js';
import { OperatorLogService } from './operator-log.service.js';
import { OperatorLogEntry, OperatorLogPage } from './operator-log.types.js';

@OperatorOnly()
@Resolver(() => OperatorLogEntry)
export class OperatorLogResolver {
  constructor(private readonly log: OperatorLogService) {}

  @Query(() => OperatorLogPage, { description: 'What operators did, newest first (operators only).' })
  operatorLog(
    @CurrentOperator() operator: OperatorCaller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<OperatorLogPage> {
    return this.log.page(operator, { first, after });
  }

  @Query(() => ChainVerdict, { description: "Checks the hash chain of the operators' log (operators only)." })
  verifyOperatorLog(@CurrentOperator() operator: OperatorCaller): Promise<ChainVerdict> {
    return this.log.verify(operator);
  }
}
