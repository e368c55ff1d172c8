import { Field, InputType, Int } from '@nestjs/graphql';
import type { RetrievalKind } from '@tempera/core';
import { MemoryChoice } from '../memories/memory-choice.input.js';
import { RetrievalKindEnum } from './retrieval.enums.js';

@InputType()
export class RetrieveInput extends MemoryChoice {
  @Field(() => String)
  query!: string;

  @Field(() => Int, { defaultValue: 5 })
  limit!: number;

  @Field(() => RetrievalKindEnum, { defaultValue: 'asked' })
  kind!: RetrievalKind;
}
