import { Field, Float, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { TrendBucket } from '@tempera/core';

export const DomainKindEnum = { TAG: 'tag', TASK_TYPE: 'task_type' } as const;
registerEnumType(DomainKindEnum, { name: 'DomainKind' });

export const TrendBucketEnum = { WEEKLY: 'weekly', MONTHLY: 'monthly' } as const satisfies Record<string, TrendBucket>;
registerEnumType(TrendBucketEnum, { name: 'TrendBucketSize' });

/** How asking and voting went, in a span of time. */
@ObjectType({ isAbstract: true })
export class Learning {
  @Field(() => Int, { description: 'Answers to questions that showed a memory, counted with the one shown first.' })
  asked!: number;

  @Field(() => Int, { description: 'The same for answers that a hook put into a conversation.' })
  injected!: number;

  @Field(() => Int, { description: 'Of those asked: in which the person found something helpful.' })
  answered!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'answered as a share of asked, 0..1; null where nothing was asked.',
  })
  answerRate!: number | null;

  @Field(() => Int, { description: 'Votes that stand.' })
  helpful!: number;

  @Field(() => Int)
  unhelpful!: number;

  @Field(() => Float, { nullable: true, description: 'helpful as a share of all votes, 0..1; null without votes.' })
  helpfulShare!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Mean place of what was found helpful, 1 being first; null where nothing was.',
  })
  meanPlace!: number | null;
}
