import { Field, Int, ObjectType } from '@nestjs/graphql';
import { MEMORY_KINDS, type MemoryKind, SCOPES, type Scope } from '@tempera/core';
import { MEMORY_STATES, type MemoryState } from '@tempera/platform';
import { upTo } from '../graphql/limits/cost.js';
import { MemoryKindEnum, MemoryScopeEnum, MemoryStateEnum } from '../memories/memory.enums.js';
import { DomainKindEnum, Learning } from './learning.types.js';

const MOST_DOMAINS = 20;

@ObjectType()
export class KindCount {
  @Field(() => MemoryKindEnum)
  kind!: MemoryKind;

  @Field(() => Int)
  count!: number;
}

@ObjectType()
export class ScopeCount {
  @Field(() => MemoryScopeEnum)
  scope!: Scope;

  @Field(() => Int)
  count!: number;
}

@ObjectType()
export class StateCount {
  @Field(() => MemoryStateEnum)
  state!: MemoryState;

  @Field(() => Int)
  count!: number;
}

@ObjectType()
export class StatsDomain {
  @Field(() => DomainKindEnum, { description: 'A tag, or a type of task.' })
  kind!: 'tag' | 'task_type';

  @Field(() => String)
  name!: string;

  @Field(() => Int, { description: 'Active memories of it.' })
  memories!: number;
}

@ObjectType({ description: 'Totals over the memories that the caller may see.' })
export class Stats extends Learning {
  @Field(() => String, { nullable: true, description: "The project's slug; null for everything the caller sees." })
  project!: string | null;

  @Field(() => Int, { description: 'Active memories.' })
  memories!: number;

  @Field(() => [KindCount], { description: 'Active ones, the most first.', complexity: upTo(MEMORY_KINDS.length) })
  kinds!: KindCount[];

  @Field(() => [ScopeCount], { description: 'Active ones, the most first.', complexity: upTo(SCOPES.length) })
  scopes!: ScopeCount[];

  @Field(() => [StateCount], { description: 'All, the most first.', complexity: upTo(MEMORY_STATES.length) })
  states!: StateCount[];

  @Field(() => [StatsDomain], { description: 'The largest twenty.', complexity: upTo(MOST_DOMAINS) })
  domains!: StatsDomain[];
}
