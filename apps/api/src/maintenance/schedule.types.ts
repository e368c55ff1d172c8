import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { Cadence } from '@tempera/core';
import type { ScheduleKind } from '@tempera/platform';
import { GraphqlDate } from '../graphql/scalars/date.scalar.js';

export const ScheduleKindEnum = {
  NIGHTLY: 'nightly',
  EXPIRE: 'expire',
  CREDIT: 'credit',
  PROPAGATE: 'propagate',
  CONSOLIDATE: 'consolidate',
  PRUNE: 'prune',
  PURGE: 'purge',
  PROFILES: 'profiles',
  HEALTH: 'health',
} as const satisfies Record<string, ScheduleKind>;
registerEnumType(ScheduleKindEnum, {
  name: 'ScheduleKind',
  valuesMap: { NIGHTLY: { description: 'The nights themselves; the others are their steps.' } },
});

export const CadenceEnum = {
  NIGHTLY: 'nightly',
  WEEKLY: 'weekly',
  MONTHLY: 'monthly',
  QUARTERLY: 'quarterly',
} as const satisfies Record<string, Cadence>;
registerEnumType(CadenceEnum, { name: 'Cadence' });

@ObjectType({ description: "When recurring work is wanted, in the tenant's time zone." })
export class Schedule {
  @Field(() => ScheduleKindEnum)
  kind!: ScheduleKind;

  @Field(() => CadenceEnum, {
    description: 'How often: a step that is not nightly is done in the first night of each week, month or quarter.',
  })
  cadence!: Cadence;

  @Field(() => Int, { description: 'Of the night.' })
  hour!: number;

  @Field(() => Int)
  minute!: number;

  @Field(() => String)
  timeZone!: string;

  @Field(() => Boolean)
  paused!: boolean;

  @Field(() => GraphqlDate, { nullable: true, description: 'The latest date for which a step was done.' })
  lastOn!: string | null;

  @Field(() => Date, { nullable: true, description: 'When it was changed; none: it is as shipped.' })
  updatedAt!: Date | null;
}

@InputType({ description: 'What is left out stays. The nights have a time, and a step has a cadence.' })
export class SetScheduleInput {
  @Field(() => ScheduleKindEnum, { defaultValue: 'nightly' })
  kind!: ScheduleKind;

  @Field(() => Int, { nullable: true })
  hour?: number | null;

  @Field(() => Int, { nullable: true })
  minute?: number | null;

  @Field(() => CadenceEnum, { nullable: true })
  cadence?: Cadence | null;

  @Field(() => Boolean, { nullable: true })
  paused?: boolean | null;
}
