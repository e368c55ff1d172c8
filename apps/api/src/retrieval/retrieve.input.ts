import { Field, InputType, Int } from '@nestjs/graphql';
import type { RetrievalKind } from '@tempera/core';
import { MemoryChoice } from '../memories/memory-choice.input.js';
import { RetrievalKindEnum, type SearchMode, SearchModeEnum } from './retrieval.enums.js';

@InputType()
export class RetrieveInput extends MemoryChoice {
  @Field(() => String)
  query!: string;

  @Field(() => Int, { nullable: true, description: 'At most 50; else what retrieval.max_recall_items says.' })
  limit?: number | null;

  @Field(() => RetrievalKindEnum, { defaultValue: 'asked' })
  kind!: RetrievalKind;

  @Field(() => SearchModeEnum, { defaultValue: 'vector_and_keyword' })
  mode!: SearchMode;
}
