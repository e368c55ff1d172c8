import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { MemoryKind, RuleEffect, Scope } from '@tempera/core';
import { MemoryKindEnum, MemoryScopeEnum } from '../memories/memory.enums.js';

export const RuleEffectEnum = { FIRST: 'first', BOOST: 'boost', LIMIT: 'limit', EXCLUDE: 'exclude' } as const;
registerEnumType(RuleEffectEnum, {
  name: 'RuleEffect',
  valuesMap: {
    FIRST: { description: 'Before everything else of an answer.' },
    BOOST: { description: 'Ahead of equals, by `factor`.' },
    LIMIT: { description: 'At most `maxItems` of an answer.' },
    EXCLUDE: { description: 'Never.' },
  },
});

export const RULE_LEVELS = ['shipped', 'tenant', 'project', 'user'] as const;
export type RuleLevel = (typeof RULE_LEVELS)[number];
export const RuleLevelEnum = { SHIPPED: 'shipped', TENANT: 'tenant', PROJECT: 'project', USER: 'user' } as const;
registerEnumType(RuleLevelEnum, { name: 'RuleLevel', description: 'Whose rule it is; they apply in this order.' });

@ObjectType({ description: 'Which memories a rule is about: all that is given must hold, lists mean any of them.' })
export class RuleConditions {
  @Field(() => [MemoryKindEnum], { nullable: true })
  kinds?: MemoryKind[] | null;

  @Field(() => [String], { nullable: true })
  tags?: string[] | null;

  @Field(() => [MemoryScopeEnum], { nullable: true })
  scopes?: Scope[] | null;

  @Field(() => [ID], { nullable: true })
  authors?: string[] | null;

  @Field(() => [String], { nullable: true })
  files?: string[] | null;

  @Field(() => Boolean, { nullable: true })
  pinned?: boolean | null;

  @Field(() => Float, { nullable: true })
  minAgeDays?: number | null;

  @Field(() => Float, { nullable: true })
  maxAgeDays?: number | null;
}

@ObjectType()
export class RecallRule {
  @Field(() => ID, { nullable: true, description: 'None for a shipped rule, which is always there.' })
  id!: string | null;

  @Field(() => RuleLevelEnum)
  level!: RuleLevel;

  @Field(() => Int)
  position!: number;

  @Field(() => String)
  name!: string;

  @Field(() => RuleConditions)
  conditions!: RuleConditions;

  @Field(() => RuleEffectEnum)
  effect!: RuleEffect;

  @Field(() => Float, { nullable: true })
  factor!: number | null;

  @Field(() => Int, { nullable: true })
  maxItems!: number | null;

  @Field(() => Boolean)
  enabled!: boolean;
}

@InputType({ description: 'All that is given must hold; lists mean any of them.' })
export class RuleConditionsInput {
  @Field(() => [MemoryKindEnum], { nullable: true })
  kinds?: MemoryKind[] | null;

  @Field(() => [String], { nullable: true })
  tags?: string[] | null;

  @Field(() => [MemoryScopeEnum], { nullable: true })
  scopes?: Scope[] | null;

  @Field(() => [ID], { nullable: true })
  authors?: string[] | null;

  @Field(() => [String], { nullable: true })
  files?: string[] | null;

  @Field(() => Boolean, { nullable: true })
  pinned?: boolean | null;

  @Field(() => Float, { nullable: true })
  minAgeDays?: number | null;

  @Field(() => Float, { nullable: true })
  maxAgeDays?: number | null;
}

@InputType()
export class RecallRuleInput {
  @Field(() => String)
  name!: string;

  @Field(() => Int, { defaultValue: 0, description: 'Among the rules of its level, 0 to 1000.' })
  position!: number;

  @Field(() => RuleConditionsInput)
  conditions!: RuleConditionsInput;

  @Field(() => RuleEffectEnum)
  effect!: RuleEffect;

  @Field(() => Float, { nullable: true, description: 'Of a boost: above 1, at most 1.2.' })
  factor?: number | null;

  @Field(() => Int, { nullable: true, description: 'Of a limit: 1 to 50.' })
  maxItems?: number | null;

  @Field(() => Boolean, { defaultValue: true })
  enabled!: boolean;
}
