import { Field, ID, InputType } from '@nestjs/graphql';
import type { MemoryKind, Outcome, TaskType, Validity } from '@tempera/core';
import type { Verification } from '@tempera/platform';
import { AlternativeInput, ErrorResolutionInput } from './capture.input.js';
import { MemoryKindEnum, OutcomeEnum, TaskTypeEnum, ValidityEnum, VerificationEnum } from './memory.enums.js';

@InputType({
  description:
    'What to change of a memory. What is left out stays; a list takes the place of the old one. Null takes the outcome, the type or the expiry away, and has the title made from the text.',
})
export class EditMemoryInput {
  @Field(() => String, { nullable: true })
  text?: string | null;

  @Field(() => String, { nullable: true })
  title?: string | null;

  @Field(() => MemoryKindEnum, { nullable: true })
  kind?: MemoryKind | null;

  @Field(() => TaskTypeEnum, { nullable: true })
  taskType?: TaskType | null;

  @Field(() => OutcomeEnum, { nullable: true })
  outcome?: Outcome | null;

  @Field(() => [String], { nullable: true })
  tags?: string[] | null;

  @Field(() => [String], { nullable: true })
  filesModified?: string[] | null;

  @Field(() => [ErrorResolutionInput], { nullable: true })
  errorsResolved?: ErrorResolutionInput[] | null;

  @Field(() => [AlternativeInput], { nullable: true })
  alternatives?: AlternativeInput[] | null;

  @Field(() => ValidityEnum, { nullable: true })
  validity?: Validity | null;

  @Field(() => VerificationEnum, { nullable: true })
  verification?: Verification | null;

  @Field(() => Date, { nullable: true })
  expiresAt?: Date | null;

  @Field(() => ID, { nullable: true, description: 'Another memory, for the same people, whose place this one takes.' })
  supersedes?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Edits with one key are one edit, however often they are sent.',
  })
  idempotencyKey?: string | null;
}
