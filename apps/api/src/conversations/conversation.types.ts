import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { FactKind } from '@tempera/core';
import { bytes } from '../graphql/limits/cost.js';
import { PageInfo } from '../graphql/paging.js';
import { MemoryKindEnum } from '../memories/memory.enums.js';

/** So many facts of a conversation are shown. */
export const FACTS_SHOWN = 20;
const FACT_BYTES = 4_096;
const REASONS_POINTS = 2;

export const ConversationStateEnum = { WAITING: 'waiting', KEEPING: 'keeping', DISTILLED: 'distilled' } as const;
export type ConversationState = (typeof ConversationStateEnum)[keyof typeof ConversationStateEnum];
registerEnumType(ConversationStateEnum, {
  name: 'ConversationState',
  valuesMap: {
    WAITING: { description: 'It has turns that were not distilled: it is not quiet yet.' },
    KEEPING: { description: 'Distilled; some of its facts are not memories yet.' },
    DISTILLED: { description: 'Nothing is left to do until it goes on.' },
  },
});

export const FactStatusEnum = { PENDING: 'pending', KEPT: 'kept', REFUSED: 'refused' } as const;
registerEnumType(FactStatusEnum, { name: 'FactStatus' });

@ObjectType()
export class DistilledFact {
  @Field(() => MemoryKindEnum)
  kind!: FactKind;

  @Field(() => String)
  content!: string;

  @Field(() => String, { nullable: true, description: 'Where it was said, word for word.' })
  evidence!: string | null;

  @Field(() => FactStatusEnum)
  status!: 'pending' | 'kept' | 'refused';

  @Field(() => String, { nullable: true, description: 'Why it was refused, such as `too-general` or `already-known`.' })
  reason!: string | null;

  @Field(() => ID, { nullable: true, description: 'The memory that says it.' })
  memoryId!: string | null;
}

@ObjectType()
export class RefusedCount {
  @Field(() => String)
  reason!: string;

  @Field(() => Int)
  count!: number;
}

@ObjectType({ description: "The turns of one of the caller's sessions about one project, and what came of them." })
export class Conversation {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  project!: string | null;

  @Field(() => String)
  client!: string;

  @Field(() => Date)
  startedAt!: Date;

  @Field(() => Date)
  lastTurnAt!: Date;

  @Field(() => Int)
  turns!: number;

  @Field(() => ConversationStateEnum)
  state!: ConversationState;

  @Field(() => String, {
    nullable: true,
    description: 'At most three sentences: what was asked, decided and left open.',
  })
  summary!: string | null;

  @Field(() => Int)
  kept!: number;

  @Field(() => [RefusedCount], { complexity: REASONS_POINTS })
  refused!: RefusedCount[];

  @Field(() => [DistilledFact], {
    description: 'Twenty at most, what was kept first.',
    complexity: bytes(FACTS_SHOWN * FACT_BYTES),
  })
  facts!: DistilledFact[];
}

@ObjectType()
export class ConversationPage {
  @Field(() => [Conversation])
  nodes!: Conversation[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}
