import { Field, Float, Int, ObjectType } from '@nestjs/graphql';
import { MaintenanceRun } from '../maintenance/maintenance.types.js';

@ObjectType()
export class Status {
  @Field(() => String, { nullable: true, description: "The project's slug; null for everything the caller sees." })
  project!: string | null;

  @Field(() => Int, { description: 'Active memories that the caller may see.' })
  memories!: number;

  @Field(() => Int, { description: 'Those the caller wrote.' })
  ownMemories!: number;

  @Field(() => Int, { description: 'Those that others see too.' })
  sharedMemories!: number;

  @Field(() => Int, { description: 'Those that can be found by words only as yet.' })
  awaitingEmbedding!: number;

  @Field(() => Int, { description: 'Memories that no encoder could read: found by their words only.' })
  failedEmbedding!: number;

  @Field(() => Date, { nullable: true })
  lastCaptureAt!: Date | null;

  @Field(() => Int, {
    description: 'How often memories were shown to somebody who asked: each memory once a person and day.',
  })
  retrievals!: number;

  @Field(() => Int, { description: 'People who found a memory helpful, summed over memories.' })
  helpfulVotes!: number;

  @Field(() => Int, { description: 'People who found a memory unhelpful, summed over memories.' })
  unhelpfulVotes!: number;

  @Field(() => Float, { description: 'helpfulVotes as a share of retrievals, 0..1.' })
  feedbackRate!: number;

  @Field(() => Int, {
    description:
      'Memories that proved useful themselves, by votes or by successes that followed: what others lend them does not count.',
  })
  highValue!: number;

  @Field(() => Int, { description: 'Memories that no question has found yet.' })
  neverRetrieved!: number;

  @Field(() => Float, { description: 'Mean utility of the memories, 0..1, with what is lent and what has faded.' })
  meanUtility!: number;

  @Field(() => Float, { description: 'neverRetrieved as a share of memories, 0..1; 0 without memories.' })
  neverRetrievedShare!: number;

  @Field(() => Int, { description: 'Memories of no use for long and worth little by now (storage.stale_*).' })
  stale!: number;

  @Field(() => Int, { description: 'Pairs of memories that contradict each other, for a person to decide.' })
  conflicts!: number;

  @Field(() => Int, { description: 'Proposals that wait: made by the caller, or for the caller to decide.' })
  proposals!: number;

  @Field(() => MaintenanceRun, {
    nullable: true,
    description: 'The latest maintenance run that the caller may see: of the tenant for owners and admins.',
  })
  lastRun!: MaintenanceRun | null;

  @Field(() => [String], { description: 'What a person can do about it, the most pressing first.' })
  advice!: string[];
}
