import { Field, Float, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { ProjectId, UserId } from '@tempera/core';
import { upTo } from '../graphql/limits/cost.js';
import { GraphqlDate } from '../graphql/scalars/date.scalar.js';

/** So many people and projects are told, the largest first. */
export const SHARES_SHOWN = 100;
export const DAYS_SHOWN = 30;

@ObjectType({ description: 'What a tenant may keep and do.' })
export class Quota {
  @Field(() => Int, { description: 'Active memories; archiving and forgetting free them at once.' })
  memories!: number;

  @Field(() => Float, {
    description:
      'Bytes of memories of any state with their former texts; erasing frees them, 30 days after forgetting.',
  })
  bytes!: number;

  @Field(() => Int, {
    description: 'Vectors stored in a day (UTC); what comes later is found by keyword until tomorrow.',
  })
  embeddingsPerDay!: number;

  @Field(() => Int, { description: 'Points that one person may spend in a minute.' })
  userPointsPerMinute!: number;

  @Field(() => Int, { description: 'Points that all its people together may spend in a minute.' })
  tenantPointsPerMinute!: number;
}

@ObjectType({ description: 'What a tenant keeps, private memories included.' })
export class TenantUsage {
  @Field(() => Int)
  memories!: number;

  @Field(() => Float)
  bytes!: number;

  @Field(() => Int)
  embeddingsToday!: number;
}

@ObjectType({ description: 'What was done in a day or in thirty.' })
export class Activity {
  @Field(() => Int)
  captures!: number;

  @Field(() => Int)
  retrievals!: number;

  @Field(() => Int)
  embeddings!: number;

  @Field(() => Float)
  points!: number;
}

@ObjectType()
export class ActivityOfDay extends Activity {
  @Field(() => GraphqlDate)
  day!: string;
}

@ObjectType({
  description: 'Of others an admin sees what they share; what they keep to themselves counts nowhere here.',
})
export class UserUsage {
  readonly userId!: UserId;

  @Field(() => Int)
  memories!: number;

  @Field(() => Float)
  bytes!: number;

  @Field(() => Activity)
  today!: Activity;

  @Field(() => Activity)
  last30Days!: Activity;
}

@ObjectType()
export class ProjectUsage {
  readonly projectId!: ProjectId;

  @Field(() => Int)
  memories!: number;

  @Field(() => Float)
  bytes!: number;
}

@ObjectType()
export class Usage {
  @Field(() => Quota)
  quota!: Quota;

  @Field(() => TenantUsage, { nullable: true, description: 'For owners and admins.' })
  tenant!: TenantUsage | null;

  @Field(() => [ActivityOfDay], {
    description: 'The last thirty days (UTC) that had any, newest first: the people below together.',
    complexity: upTo(DAYS_SHOWN),
  })
  days!: ActivityOfDay[];

  @Field(() => [UserUsage], {
    description: 'Oneself first; for owners and admins everyone who keeps or did something, at most a hundred.',
    complexity: upTo(SHARES_SHOWN),
  })
  users!: UserUsage[];

  @Field(() => [ProjectUsage], {
    description: "One's own projects, for owners and admins all, the largest hundred.",
    complexity: upTo(SHARES_SHOWN),
  })
  projects!: ProjectUsage[];
}

@ObjectType()
export class TenantQuota {
  @Field(() => ID, { nullable: true, description: 'Null: the defaults of the instance.' })
  tenantId!: string | null;

  @Field(() => Quota)
  quota!: Quota;

  @Field(() => TenantUsage, { nullable: true })
  usage!: TenantUsage | null;
}

@InputType({ description: "What is left out stays; null goes back to the instance's default." })
export class QuotaInput {
  @Field(() => Int, { nullable: true })
  memories?: number | null;

  @Field(() => Float, { nullable: true })
  bytes?: number | null;

  @Field(() => Int, { nullable: true })
  embeddingsPerDay?: number | null;

  @Field(() => Int, { nullable: true, description: 'From 5000, so that the dearest request fits.' })
  userPointsPerMinute?: number | null;

  @Field(() => Int, { nullable: true, description: 'From 5000.' })
  tenantPointsPerMinute?: number | null;
}
