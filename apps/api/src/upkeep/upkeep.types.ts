import { Field, Float, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { MemoryId } from '@tempera/core';
import { upTo } from '../graphql/limits/cost.js';
import { Memory } from '../memories/memory.types.js';
import { JudgedMemory, LookedAt, MemoryCluster } from './review.types.js';

/** One call merges so many clusters, or prunes so many memories; the rest is left for the next. */
export const MAX_MERGED_CLUSTERS = 50;
export const MAX_PRUNED = 200;
/** So many memories are merged by hand. */
export const MAX_CHOSEN = 20;

@InputType()
export class ConsolidateInput {
  @Field(() => String, { nullable: true, description: 'A project; without it the private memories of the caller.' })
  project?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Without it only what would change is told.' })
  execute!: boolean;

  @Field(() => Boolean, { defaultValue: false, description: 'Memories of several people too.' })
  acrossAuthors!: boolean;

  @Field(() => ID, { nullable: true, description: 'Go on after this one.' })
  after?: string | null;
}

@InputType()
export class CleanupInput {
  @Field(() => String, { nullable: true, description: 'A project; without it the private memories of the caller.' })
  project?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Without it only what would change is told.' })
  execute!: boolean;

  @Field(() => Int, { nullable: true, description: 'Default: the setting storage.max_age_days.' })
  olderThanDays?: number | null;

  @Field(() => Float, { nullable: true, description: 'Default: the setting storage.min_utility_threshold.' })
  minUtility?: number | null;

  @Field(() => ID, { nullable: true, description: 'Go on after this one.' })
  after?: string | null;
}

@ObjectType({ isAbstract: true })
abstract class UpkeepAnswer extends LookedAt {
  @Field(() => ID, { nullable: true, description: 'What `undo` takes; none where nothing was changed.' })
  runId!: string | null;

  @Field(() => Int, { description: 'What is still to do of what was looked at.' })
  remaining!: number;
}

@ObjectType({ description: 'What was merged, or would be.' })
export class Consolidated extends UpkeepAnswer {
  @Field(() => [MemoryCluster], { complexity: upTo(MAX_MERGED_CLUSTERS) })
  clusters!: MemoryCluster[];
}

@ObjectType({ description: 'What was archived, or would be.' })
export class CleanedUp extends UpkeepAnswer {
  @Field(() => [JudgedMemory], { complexity: upTo(MAX_PRUNED) })
  memories!: JudgedMemory[];
}

@ObjectType()
export class MergedByHand {
  @Field(() => ID, { description: 'What `undo` takes.' })
  runId!: string;

  @Field(() => Memory)
  survivor!: Memory;

  @Field(() => [ID])
  mergedIds!: MemoryId[];
}

@ObjectType({ description: 'What came back.' })
export class Undone {
  @Field(() => ID)
  runId!: string;

  @Field(() => [ID], { description: 'Memories that are in use again.' })
  restoredIds!: MemoryId[];

  @Field(() => [ID], {
    description: 'Left as they are: restored, forgotten, moved, put away or merged with others by somebody since.',
  })
  skippedIds!: MemoryId[];
}
