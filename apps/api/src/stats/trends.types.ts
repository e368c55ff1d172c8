import { Field, Float, Int, ObjectType } from '@nestjs/graphql';
import type { TrendBucket } from '@tempera/core';
import { upTo } from '../graphql/limits/cost.js';
import { DomainKindEnum, Learning, TrendBucketEnum } from './learning.types.js';
import { MAX_BUCKETS } from './trend-span.js';

const MOST_GROWING = 8;

@ObjectType({ description: 'How the memories did, as the last night of the bucket that looked noted it.' })
export class TrendHealth {
  @Field(() => Int, { description: 'Active memories.' })
  memories!: number;

  @Field(() => Int, { description: 'Those that proved worth much themselves.' })
  highValue!: number;

  @Field(() => Int)
  stale!: number;

  @Field(() => Int, { description: 'Those that no question ever found.' })
  neverRetrieved!: number;

  @Field(() => Float, { description: '0..1' })
  meanUtility!: number;
}

@ObjectType({ description: 'A week (ISO, from Monday) or a month, in UTC.' })
export class TrendPoint extends Learning {
  @Field(() => String, { description: 'YYYY-Www or YYYY-MM.' })
  bucket!: string;

  @Field(() => Date)
  from!: Date;

  @Field(() => Int, { description: 'Memories captured.' })
  captured!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'helpfulShare of this bucket less that of all votes in the span, -1..1; null without votes.',
  })
  againstAll!: number | null;

  @Field(() => TrendHealth, {
    nullable: true,
    description: 'Of what the caller sees, erased memories too; null where no night looked.',
  })
  health!: TrendHealth | null;
}

@ObjectType({ description: 'How a tag or a type of task grew.' })
export class TrendDomain {
  @Field(() => DomainKindEnum)
  kind!: 'tag' | 'task_type';

  @Field(() => String)
  name!: string;

  @Field(() => [Int], { description: 'Active memories of it at the end of each bucket.' })
  memories!: number[];
}

@ObjectType({ description: 'The whole span as one.' })
export class TrendTotal extends Learning {
  @Field(() => Int, { description: 'Memories captured.' })
  captured!: number;
}

@ObjectType({ description: 'Statistics over time, over the memories that the caller may see.' })
export class Trends {
  @Field(() => String, { nullable: true, description: "The project's slug; null for everything the caller sees." })
  project!: string | null;

  @Field(() => TrendBucketEnum)
  bucket!: TrendBucket;

  @Field(() => [TrendPoint], { description: 'Oldest first, without gaps.', complexity: upTo(MAX_BUCKETS) })
  points!: TrendPoint[];

  @Field(() => TrendTotal)
  all!: TrendTotal;

  @Field(() => [TrendDomain], { description: 'The largest eight.', complexity: upTo(MOST_GROWING) })
  domains!: TrendDomain[];
}
