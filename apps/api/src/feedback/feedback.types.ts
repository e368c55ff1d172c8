import { Field, ID, InputType, ObjectType } from '@nestjs/graphql';
import type { MemoryId } from '@tempera/core';
import { upTo } from '../graphql/limits/cost.js';

/** Memories of one vote. */
export const MAX_VOTED_IDS = 50;

@InputType()
export class FeedbackInput {
  @Field(() => [ID])
  memoryIds!: string[];

  @Field(() => Boolean)
  helpful!: boolean;

  @Field(() => ID, { nullable: true, description: "The answer that showed them; else the caller's latest that did." })
  retrievalId?: string | null;

  @Field(() => String, { nullable: true })
  note?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Takes the vote back.' })
  withdraw!: boolean;
}

@ObjectType()
export class RejectedVote {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  reason!: string;
}

@ObjectType()
export class FeedbackAnswer {
  @Field(() => [ID])
  recorded!: MemoryId[];

  @Field(() => [RejectedVote], { complexity: upTo(MAX_VOTED_IDS) })
  rejected!: RejectedVote[];
}
