import { Field, Float, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { MemoryId, PruneReason } from '@tempera/core';
import { upTo } from '../graphql/limits/cost.js';
import { Memory } from '../memories/memory.types.js';

/** So many of each list are shown; the counts are of all. */
export const SHOWN = 20;
/** So many memories of a cluster. */
export const CLUSTER_SHOWN = 40;

export const PruneReasonEnum = { AGE: 'age', UTILITY: 'utility' } as const;
registerEnumType(PruneReasonEnum, {
  name: 'PruneReason',
  valuesMap: {
    AGE: { description: 'Older than it may get without being used.' },
    UTILITY: { description: 'Worth less than the least.' },
  },
});

@ObjectType({ description: 'A memory that review or pruning points at.' })
export class JudgedMemory {
  @Field(() => Memory)
  memory!: Memory;

  @Field(() => Float)
  utility!: number;

  @Field(() => Float, { description: 'Days since it was captured or found helpful.' })
  daysUnused!: number;

  @Field(() => [PruneReasonEnum], { description: 'Why it would be pruned; none for one that is only stale.' })
  reasons!: PruneReason[];
}

@ObjectType({ description: 'Memories that say the same, of which one would stay.' })
export class MemoryCluster {
  @Field(() => Memory, { description: 'The newest text, which stays.' })
  survivor!: Memory;

  @Field(() => [Memory], { description: 'Would be archived and merged into it.', complexity: upTo(CLUSTER_SHOWN) })
  merged!: Memory[];

  @Field(() => Float, { description: 'The least cosine of a pair, 0 to 1.' })
  similarity!: number;

  @Field(() => Boolean, { description: 'Of several people: merged only when a maintainer asks for it.' })
  acrossAuthors!: boolean;
}

/** How much was looked at. */
@ObjectType({ isAbstract: true })
export abstract class LookedAt {
  @Field(() => Int, { description: 'Memories looked at in this answer.' })
  analysed!: number;

  @Field(() => Int, { description: 'Active memories there are.' })
  total!: number;

  @Field(() => Boolean, { description: 'False where the time was over before everything was looked at.' })
  complete!: boolean;

  @Field(() => ID, { nullable: true, description: 'Give it as `after` to go on.' })
  nextAfter!: MemoryId | null;
}

@ObjectType()
export class Review extends LookedAt {
  @Field(() => String, { nullable: true, description: 'The project; none for the private memories of the caller.' })
  project!: string | null;

  @Field(() => Boolean, { description: 'Whether the caller may also act on it.' })
  mayExecute!: boolean;

  @Field(() => [JudgedMemory], {
    description: 'Long unused and worth little, the least first.',
    complexity: upTo(SHOWN),
  })
  stale!: JudgedMemory[];

  @Field(() => Int)
  staleCount!: number;

  @Field(() => [JudgedMemory], { description: 'What `cleanup` would archive.', complexity: upTo(SHOWN) })
  prunable!: JudgedMemory[];

  @Field(() => Int)
  prunableCount!: number;

  @Field(() => [MemoryCluster], { description: 'What `consolidate` would merge.', complexity: upTo(SHOWN) })
  clusters!: MemoryCluster[];

  @Field(() => Int)
  clusterCount!: number;

  @Field(() => [MemoryCluster], { description: 'The same of several people.', complexity: upTo(SHOWN) })
  proposals!: MemoryCluster[];

  @Field(() => Int)
  proposalCount!: number;

  @Field(() => Int, { description: 'Pairs that are near enough to merge and differ in a number, a name, a negation …' })
  guarded!: number;

  @Field(() => Int, {
    description:
      'Pairs that wait for a person to decide, of which one is of the project (or private): as many as `conflicts` lists.',
  })
  conflicts!: number;
}
