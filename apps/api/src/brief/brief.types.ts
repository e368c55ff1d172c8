import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { BRIEF_PARTS, type BriefPart, type RetrievalId } from '@tempera/core';
import { countedAbove, upTo } from '../graphql/limits/cost.js';
import { Memory } from '../memories/memory.types.js';

/** Categories of corrections that are named. */
export const CATEGORIES_SHOWN = 5;

export const BriefPartEnum = Object.fromEntries(BRIEF_PARTS.map((part) => [part.toUpperCase(), part]));
registerEnumType(BriefPartEnum, { name: 'BriefPart' });

@ObjectType()
export class BriefItem {
  @Field(() => BriefPartEnum)
  part!: BriefPart;

  @Field(() => Memory)
  memory!: Memory;

  @Field(() => String, { description: 'What it has to tell, shortened.' })
  text!: string;

  @Field(() => [String], {
    description: 'What it has to do with the task: same error, file, domain, type, near, open.',
  })
  why!: string[];
}

@ObjectType()
export class CorrectionCategory {
  @Field(() => String)
  name!: string;

  @Field(() => Int)
  count!: number;
}

@ObjectType()
export class Brief {
  @Field(() => ID, { description: 'Votes on what it tells name it.' })
  retrievalId!: RetrievalId;

  @Field(() => [BriefItem], { complexity: countedAbove, description: 'Each memory once, by part.' })
  items!: BriefItem[];

  @Field(() => Int, { description: 'What there was no room for.' })
  leftOut!: number;

  @Field(() => Int, { description: 'Model tokens of the items, roughly.' })
  tokens!: number;

  @Field(() => [CorrectionCategory], {
    complexity: upTo(CATEGORIES_SHOWN),
    description: 'What the corrections are mostly about.',
  })
  correctionCategories!: CorrectionCategory[];

  @Field(() => [String])
  searchedScopes!: string[];
}
