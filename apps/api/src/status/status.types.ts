import { Field, Float, Int, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class Status {
  @Field(() => String, { nullable: true })
  project!: string | null;

  @Field(() => Int)
  memories!: number;

  @Field(() => Int)
  ownMemories!: number;

  @Field(() => Int)
  sharedMemories!: number;

  @Field(() => Int)
  awaitingEmbedding!: number;

  @Field(() => Date, { nullable: true })
  lastCaptureAt!: Date | null;

  @Field(() => Int)
  retrievals!: number;

  @Field(() => Int)
  helpfulVotes!: number;

  @Field(() => Int)
  unhelpfulVotes!: number;

  @Field(() => Float, { description: 'Helpful votes per asked retrieval, 0..1.' })
  feedbackRate!: number;

  @Field(() => Int)
  highValue!: number;

  @Field(() => Int)
  neverRetrieved!: number;

  @Field(() => Float)
  meanUtility!: number;

  @Field(() => [String])
  advice!: string[];
}
