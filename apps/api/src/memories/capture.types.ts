import { Field, Float, ID, Int, ObjectType } from '@nestjs/graphql';
import type { SessionId } from '@tempera/core';
import { countedAbove, upTo } from '../graphql/limits/cost.js';
import { type CaptureStatus, CaptureStatusEnum } from './memory.enums.js';
import { Proposal } from '../proposals/proposal.types.js';
import { RemovedSecrets } from '../redaction/removed.types.js';
import { Memory } from './memory.types.js';

/** So many memories that lie near a new one are told, and as many that contradict it. */
export const CLOSE_SHOWN = 10;

@ObjectType()
export class NearMemory {
  @Field(() => Memory)
  memory!: Memory;

  @Field(() => Float)
  similarity!: number;

  @Field(() => [String], { description: 'What differs, for a conflict; for a refuted memory `refuted: ` and why.' })
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

  @Field(() => [NearMemory], {
    description:
      'Other memories that say nearly the same, with their similarity, 0..1; first those that were refuted; ten at most.',
    complexity: upTo(CLOSE_SHOWN),
  })
  near!: NearMemory[];

  @Field(() => [NearMemory], { complexity: upTo(CLOSE_SHOWN) })
  conflicts!: NearMemory[];

  @Field(() => [NearMemory], { description: 'What gave way to it.', complexity: upTo(CLOSE_SHOWN) })
  superseded!: NearMemory[];

  @Field(() => Proposal, {
    nullable: true,
    description: 'Where the project reviews: the memory is kept private, and this waits for a maintainer.',
  })
  proposal!: Proposal | null;

  @Field(() => [RemovedSecrets], { description: 'Secrets that were taken out before anything was kept.' })
  redacted!: RemovedSecrets[];
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
  @Field(() => [CaptureResult], { complexity: countedAbove })
  results!: CaptureResult[];

  @Field(() => Int)
  captured!: number;

  @Field(() => Int)
  failed!: number;
}
