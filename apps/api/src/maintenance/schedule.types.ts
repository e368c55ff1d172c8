import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ScheduleKind } from '@tempera/platform';

export const ScheduleKindEnum = { NIGHTLY: 'nightly' } as const satisfies Record<string, ScheduleKind>;
registerEnumType(ScheduleKindEnum, { name: 'ScheduleKind' });

@ObjectType({ description: "When recurring work is wanted, in the tenant's time zone." })
export class Schedule {
  @Field(() => ScheduleKindEnum)
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
  @Field(() => ScheduleKindEnum, { defaultValue: 'nightly' })
  kind!: ScheduleKind;

  @Field(() => Int, { nullable: true })
  hour?: number | null;

  @Field(() => Int, { nullable: true })
  minute?: number | null;

  @Field(() => Boolean, { nullable: true })
  paused?: boolean | null;
}
