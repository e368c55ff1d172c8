import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RecallRule, RecallRuleInput, type RuleLevel, RuleLevelEnum } from './recall-rule.types.js';
import { RecallRulesService } from './recall-rules.service.js';

@Resolver(() => RecallRule)
export class RecallRuleResolver {
  constructor(private readonly service: RecallRulesService) {}

  @ForMachines('read')
  @Query(() => [RecallRule], { description: 'The recall rules of your questions in the order they apply.' })
  recallRules(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
  ): Promise<RecallRule[]> {
    return this.service.list(caller, project ?? null);
  }

  @ForMachines('write')
  @Mutation(() => RecallRule, {
    description: "Makes a rule: the tenant's (owner, admin), a project's (its maintainers too), or your own.",
  })
  createRecallRule(
    @CurrentCaller() caller: Caller,
    @Args('input') input: RecallRuleInput,
    @Args('level', { type: () => RuleLevelEnum, defaultValue: 'user' }) level: RuleLevel,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
  ): Promise<RecallRule> {
    return this.service.create(caller, level, project ?? null, input);
  }

  @ForMachines('write')
  @Mutation(() => RecallRule, { description: 'Puts another rule in the place of one (who may make it).' })
  updateRecallRule(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: RecallRuleInput,
  ): Promise<RecallRule> {
    return this.service.update(caller, id, input);
  }

  @ForMachines('write')
  @Mutation(() => RecallRule, { description: 'Takes a rule away (who may make it).' })
  deleteRecallRule(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<RecallRule> {
    return this.service.remove(caller, id);
  }
}
