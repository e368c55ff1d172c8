import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { ScheduleKind } from '@tempera/platform';
import { RunKindEnum } from './maintenance.types.js';

@ObjectType({ description: "When recurring work is wanted, in the tenant's time zone." })
export class Schedule {
  @Field(() => RunKindEnum)
  kind!: ScheduleKind;

  @Field(() => Int)
  hour!: number;

  @Field(() => Int)
  minute!: number;

  @Field(() => String)
  timeZone!: string;

  @Field(() => Boolean)
  paused!: boolean;

  @Field(() => Date)
  updatedAt!: Date;
}

@InputType({ description: 'What is left out stays.' })
export class SetScheduleInput {
  @Field(() => RunKindEnum, { defaultValue: 'nightly' })
  kind!: ScheduleKind;

  @Field(() => Int, { nullable: true })
  hour?: number | null;

  @Field(() => Int, { nullable: true })
  minute?: number | null;

  @Field(() => Boolean, { nullable: true })
  paused?: boolean | null;
}
