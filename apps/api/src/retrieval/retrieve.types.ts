import { Field, Float, ID, Int, ObjectType } from '@nestjs/graphql';
import type { RetrievalId } from '@tempera/core';
import { countedAbove, upTo } from '../graphql/limits/cost.js';
import { SESSION_MATES_SHOWN } from '../memories/memory-loaders.js';
import { Memory } from '../memories/memory.types.js';
import { Utility } from '../memories/utility.types.js';
import { type SearchMode, SearchModeEnum } from './retrieval.enums.js';

@ObjectType()
export class Explanation {
  @Field(() => Float, { nullable: true })
  cosine!: number | null;

  @Field(() => Float, { description: 'How much of the question its words cover, 0..1.' })
  keyword!: number;

  @Field(() => Float, { description: 'How probable it is that it answers the question, 0..1.' })
  relevance!: number;

  @Field(() => Float, { description: 'Relevance by itself, before what preceded it in its session raised it.' })
  ownRelevance!: number;

  @Field(() => Float)
  trust!: number;

  @Field(() => Float, { description: 'Contextual evidence net, -1..1.' })
  context!: number;

  @Field(() => Int, { nullable: true })
  contextPeople!: number | null;

  @Field(() => Utility)
  utility!: Utility;

  @Field(() => Float, { description: 'The ranking input g, -1..1.' })
  gain!: number;

  @Field(() => Float)
  recency!: number;

  @Field(() => String, { nullable: true, description: 'The recall rules that apply to it, by name.' })
  rule!: string | null;

  @Field(() => Float)
  score!: number;

  @Field(() => Int, { description: 'The place it would have without learning.' })
  placeWithoutLearning!: number;
}

@ObjectType()
export class Hit {
  @Field(() => Memory)
  memory!: Memory;

  @Field(() => Int)
  place!: number;

  @Field(() => Float, {
    description:
      'How alike the question and it are: 0 for no more than any two texts, 1 for the same one. It orders nothing; how probable it is that it answers is `explanation.relevance`.',
  })
  similarity!: number;

  @Field(() => Float)
  score!: number;

  @Field(() => Explanation)
  explanation!: Explanation;

  @Field(() => Boolean, { description: 'It says something else by now; found by the words that it had.' })
  isPastText!: boolean;

  @Field(() => [Memory], { complexity: upTo(SESSION_MATES_SHOWN) })
  sessionMates!: Memory[];
}

@ObjectType()
export class RetrieveAnswer {
  @Field(() => ID)
  retrievalId!: RetrievalId;

  @Field(() => [Hit], { complexity: countedAbove })
  hits!: Hit[];

  @Field(() => [String], {
    description: 'Everything that was searched, in words: private, project slugs, groups, tenant.',
  })
  searchedScopes!: string[];

  @Field(() => String, { nullable: true, description: 'Why there is nothing, when there is nothing.' })
  emptyReason!: string | null;

  @Field(() => SearchModeEnum, { description: 'As asked, or KEYWORD while no encoder is ready.' })
  mode!: SearchMode;

  @Field(() => Date, { nullable: true, description: 'The moment that was asked about.' })
  asOf!: Date | null;

  @Field(() => String, { nullable: true, description: 'How an answer about the past was found.' })
  note!: string | null;
}
