import { Field, ID, InputType } from '@nestjs/graphql';
import type { MemoryKind, Outcome, Scope, TaskType, Validity } from '@tempera/core';
import type { CaptureSource, MemoryState, Verification } from '@tempera/platform';
import { MemoryChoice } from './memory-choice.input.js';
import {
  CaptureSourceEnum,
  MemoryKindEnum,
  MemoryScopeEnum,
  MemoryStateEnum,
  type MergeMode,
  MergeModeEnum,
  OutcomeEnum,
  TaskTypeEnum,
  ValidityEnum,
  VerificationEnum,
} from './memory.enums.js';

@InputType()
export class ErrorResolutionInput {
  @Field(() => String)
  error!: string;

  @Field(() => String, { nullable: true })
  resolution?: string | null;
}

@InputType()
export class AlternativeInput {
  @Field(() => String)
  approach!: string;

  @Field(() => String)
  whyNot!: string;

  @Field(() => String, { nullable: true })
  revisitIf?: string | null;
}

@InputType()
export class CaptureInput {
  @Field(() => String, { description: 'What was learned, up to 64 KiB.' })
  text!: string;

  @Field(() => String, { nullable: true, description: 'One line; else made from the text.' })
  title?: string | null;

  @Field(() => MemoryKindEnum, { defaultValue: 'episode' })
  kind!: MemoryKind;

  @Field(() => MemoryScopeEnum, { nullable: true })
  scope?: Scope | null;

  @Field(() => String, { nullable: true, description: "The project's slug; needed for scopes PROJECT and GROUP." })
  project?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "A group's slug, for scope GROUP; default: the only one that the project is in.",
  })
  group?: string | null;

  @Field(() => TaskTypeEnum, { nullable: true })
  taskType?: TaskType | null;

  @Field(() => OutcomeEnum, { nullable: true })
  outcome?: Outcome | null;

  @Field(() => [String], { defaultValue: [] })
  tags!: string[];

  @Field(() => [String], { defaultValue: [] })
  filesModified!: string[];

  @Field(() => [ErrorResolutionInput], { defaultValue: [] })
  errorsResolved!: ErrorResolutionInput[];

  @Field(() => [AlternativeInput], { defaultValue: [] })
  alternatives!: AlternativeInput[];

  @Field(() => ValidityEnum, { defaultValue: 'none' })
  validity!: Validity;

  @Field(() => VerificationEnum, { defaultValue: 'untested' })
  verification!: Verification;

  @Field(() => Boolean, { defaultValue: false })
  pinned!: boolean;

  @Field(() => Date, { nullable: true })
  expiresAt?: Date | null;

  @Field(() => Date, { nullable: true })
  startedAt?: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it happened, for imports and backfills; else now.' })
  occurredAt?: Date | null;

  @Field(() => String, { nullable: true, description: "The client's own session key." })
  sessionKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The client's own key of the prompt that led to it, up to 100 characters: what one author captures from one prompt of a session is one memory.",
  })
  promptKey?: string | null;

  @Field(() => CaptureSourceEnum, { defaultValue: 'api' })
  source!: CaptureSource;

  @Field(() => String, {
    nullable: true,
    description: 'Captures with one key are one memory, however often they are sent.',
  })
  idempotencyKey?: string | null;

  @Field(() => MergeModeEnum, { defaultValue: 'auto' })
  merge!: MergeMode;

  @Field(() => ID, {
    nullable: true,
    description: 'The memory whose place it takes, for the same people; the caller must be one who may change that.',
  })
  supersedes?: string | null;
}

@InputType()
export class MemoryFilter extends MemoryChoice {
  @Field(() => Boolean, { nullable: true })
  mine?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  pinned?: boolean | null;

  @Field(() => MemoryStateEnum, { nullable: true, defaultValue: 'active' })
  state?: MemoryState | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only what gave way to a newer memory. Else, of active ones, only what stands.',
  })
  superseded?: boolean | null;
}
