import { Args, Query, Resolver } from '@nestjs/graphql';
import type { TrendBucket } from '@tempera/core';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { TrendBucketEnum } from './learning.types.js';
import { StatsService } from './stats.service.js';
import { Stats } from './stats.types.js';
import { Trends } from './trends.types.js';

@Resolver()
export class StatsResolver {
  constructor(private readonly service: StatsService) {}

  @ForMachines('read')
  @Query(() => Stats, { description: 'Totals of a project, or of everything the caller sees.' })
  stats(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
  ): Promise<Stats> {
    return this.service.stats(caller, project ?? null);
  }

  @ForMachines('read')
  @Query(() => Trends, {
    description:
      'Statistics over time of a project, or of everything the caller sees; by default the last twelve buckets.',
  })
  trends(
    @CurrentCaller() caller: Caller,
    @Args('bucket', { type: () => TrendBucketEnum, defaultValue: 'weekly' }) bucket: TrendBucket,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
    @Args('from', { type: () => Date, nullable: true }) from?: Date | null,
    @Args('to', { type: () => Date, nullable: true }) to?: Date | null,
  ): Promise<Trends> {
    return this.service.trends(caller, project ?? null, { bucket, from: from ?? null, to: to ?? null });
  }
}
