import { Field, Float, ID, Int, ObjectType } from '@nestjs/graphql';
import type {
  GroupId,
  MemoryId,
  MemoryKind,
  Outcome,
  ProjectId,
  Scope,
  SessionId,
  TaskType,
  UserId,
  Validity,
} from '@tempera/core';
import {
  type EmbeddingState,
  MAX_NOTES_BYTES,
  MAX_TAGS_BYTES,
  MAX_TEXT_BYTES,
  type MemoryState,
  type Verification,
  type WrittenAs,
} from '@tempera/platform';
import { bytes } from '../graphql/limits/cost.js';
import { PageInfo } from '../graphql/paging.js';
import {
  EmbeddingStateEnum,
  MemoryKindEnum,
  MemoryScopeEnum,
  MemoryStateEnum,
  OutcomeEnum,
  type RelatedKind,
  RelatedKindEnum,
  TaskTypeEnum,
  ValidityEnum,
  VerificationEnum,
} from './memory.enums.js';
import { Utility } from './utility.types.js';

@ObjectType()
export class ErrorResolution {
  @Field(() => String)
  error!: string;

  @Field(() => String, { nullable: true })
  resolution!: string | null;
}

@ObjectType()
export class Alternative {
  @Field(() => String)
  approach!: string;

  @Field(() => String)
  whyNot!: string;

  @Field(() => String, { nullable: true })
  revisitIf!: string | null;
}

/** A memory as GraphQL shows it. What is not marked as a field is followed by the resolver. */
@ObjectType()
export class Memory {
  readonly ownerId!: UserId;
  readonly projectId!: ProjectId | null;
  readonly writtenBy!: UserId;
  readonly writtenAs!: WrittenAs;
  readonly groupId!: GroupId | null;

  @Field(() => ID)
  id!: MemoryId;

  @Field(() => MemoryKindEnum)
  kind!: MemoryKind;

  @Field(() => MemoryScopeEnum)
  scope!: Scope;

  @Field(() => MemoryStateEnum)
  state!: MemoryState;

  @Field(() => Date, { description: 'Since when it is in this state.' })
  stateSince!: Date;

  @Field(() => String, { nullable: true, description: 'Why it was archived or refuted, where somebody said so.' })
  stateReason!: string | null;

  @Field(() => ID, { nullable: true, description: 'The memory that stands for it since the two were merged.' })
  mergedInto!: MemoryId | null;

  @Field(() => ID, { nullable: true, description: 'What shows that it is false, where the caller may see it.' })
  refutedBy!: MemoryId | null;

  @Field(() => String)
  title!: string;

  @Field(() => String, { complexity: bytes(MAX_TEXT_BYTES) })
  text!: string;

  @Field(() => Boolean, { description: "True where it is the caller's own." })
  mine!: boolean;

  @Field(() => TaskTypeEnum, { nullable: true })
  taskType!: TaskType | null;

  @Field(() => OutcomeEnum, { nullable: true })
  outcome!: Outcome | null;

  @Field(() => [String], { complexity: bytes(MAX_TAGS_BYTES) })
  tags!: readonly string[];

  @Field(() => [String], { complexity: bytes(MAX_NOTES_BYTES) })
  filesModified!: readonly string[];

  @Field(() => [ErrorResolution], { complexity: bytes(MAX_NOTES_BYTES) })
  errorsResolved!: readonly ErrorResolution[];

  @Field(() => [Alternative], { complexity: bytes(MAX_NOTES_BYTES) })
  alternatives!: readonly Alternative[];

  @Field(() => ValidityEnum)
  validity!: Validity;

  @Field(() => VerificationEnum)
  verification!: Verification;

  @Field(() => Boolean)
  pinned!: boolean;

  @Field(() => Date, { nullable: true })
  expiresAt!: Date | null;

  @Field(() => Date)
  validFrom!: Date;

  @Field(() => Date, { nullable: true })
  validTo!: Date | null;

  @Field(() => ID, { nullable: true, description: 'What took its place, where the caller may see it.' })
  supersededBy!: MemoryId | null;

  @Field(() => Date, { nullable: true, description: 'Since when it is out of answers for a newer one.' })
  supersededAt!: Date | null;

  @Field(() => ID, { nullable: true })
  sessionId!: SessionId | null;

  @Field(() => Int)
  revision!: number;

  @Field(() => Int, { description: 'Sessions in which it was captured, or what was merged into it; each once.' })
  proofCount!: number;

  @Field(() => EmbeddingStateEnum)
  embeddingState!: EmbeddingState;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date)
  updatedAt!: Date;

  @Field(() => Utility)
  utility!: Utility;
}

/** One text of a memory: the present one, or one it had before. */
@ObjectType()
export class Revision {
  readonly authorId!: UserId;

  @Field(() => Int)
  revision!: number;

  @Field(() => String)
  title!: string;

  @Field(() => String, { complexity: bytes(MAX_TEXT_BYTES) })
  text!: string;

  @Field(() => String)
  reason!: string;

  @Field(() => Date)
  createdAt!: Date;
}

@ObjectType()
export class Related {
  @Field(() => RelatedKindEnum)
  kind!: RelatedKind;

  @Field(() => Float)
  weight!: number;

  @Field(() => Memory)
  memory!: Memory;
}

@ObjectType()
export class MemoryPage {
  @Field(() => [Memory])
  nodes!: Memory[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;

  @Field(() => Int)
  totalCount!: number;
}
