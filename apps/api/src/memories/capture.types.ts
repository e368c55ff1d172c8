import { Field, Float, ID, Int, ObjectType } from '@nestjs/graphql';
import type { SessionId } from '@tempera/core';
import { type CaptureStatus, CaptureStatusEnum } from './memory.enums.js';
import { Memory } from './memory.types.js';

@ObjectType()
export class NearMemory {
  @Field(() => Memory)
  memory!: Memory;

  @Field(() => Float)
  similarity!: number;

  @Field(() => [String], { description: 'What differs, for a conflict.' })
  differences!: string[];
}

@ObjectType()
export class Captured {
  @Field(() => CaptureStatusEnum)
  status!: CaptureStatus;

  @Field(() => Memory)
  memory!: Memory;

  @Field(() => ID, { nullable: true })
  sessionId!: SessionId | null;

  @Field(() => [NearMemory], { description: 'The similarity to what it was merged into or lies near, 0..1.' })
  near!: NearMemory[];

  @Field(() => [NearMemory])
  conflicts!: NearMemory[];
}

@ObjectType()
export class ItemError {
  @Field(() => String)
  code!: string;

  @Field(() => String)
  message!: string;
}

@ObjectType()
export class CaptureResult {
  @Field(() => Captured, { nullable: true })
  captured!: Captured | null;

  @Field(() => ItemError, { nullable: true })
  error!: ItemError | null;
}

@ObjectType()
export class CapturedMany {
  @Field(() => [CaptureResult])
  results!: CaptureResult[];

  @Field(() => Int)
  captured!: number;

  @Field(() => Int)
  failed!: number;
}
