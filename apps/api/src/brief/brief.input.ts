import { Field, InputType, Int } from '@nestjs/graphql';
import type { TaskType } from '@tempera/core';
import { TaskTypeEnum } from '../memories/memory.enums.js';

@InputType()
export class BriefInput {
  @Field(() => String, { nullable: true })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'What is to be done; an error message can be part of it.' })
  task?: string | null;

  @Field(() => [String], { defaultValue: [] })
  files!: string[];

  @Field(() => TaskTypeEnum, { nullable: true })
  type?: TaskType | null;

  @Field(() => String, { nullable: true, description: 'A tag.' })
  domain?: string | null;

  @Field(() => Int, { defaultValue: 5, description: 'Items of each part, 1 to 10.' })
  limit!: number;

  @Field(() => Int, { defaultValue: 2_000, description: 'Model tokens of all items together, 200 to 20,000.' })
  maxTokens!: number;
}
