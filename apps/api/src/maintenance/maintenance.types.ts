import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { RunStatus } from '@tempera/platform';
import { PageInfo } from '../graphql/paging.js';
import { GraphqlDate } from '../graphql/scalars/date.scalar.js';

export const RunStatusEnum = {
  REQUESTED: 'requested',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
} as const;
registerEnumType(RunStatusEnum, { name: 'RunStatus' });

export const RunKindEnum = { NIGHTLY: 'nightly' } as const;
registerEnumType(RunKindEnum, { name: 'RunKind' });

@ObjectType()
export class MaintenanceReport {
  @Field(() => Int)
  credited!: number;

  @Field(() => Int)
  snapshots!: number;

  @Field(() => Int)
  sources!: number;

  @Field(() => Int)
  hops!: number;

  @Field(() => Int)
  touched!: number;

  @Field(() => Float)
  residual!: number;

  @Field(() => Boolean)
  converged!: boolean;
}

@ObjectType()
export class MaintenanceRun {
  @Field(() => ID)
  id!: string;

  @Field(() => RunKindEnum)
  kind!: 'nightly';

  @Field(() => GraphqlDate)
  runDate!: string;

  @Field(() => RunStatusEnum)
  status!: RunStatus;

  @Field(() => Date)
  requestedAt!: Date;

  @Field(() => Date, { nullable: true })
  startedAt!: Date | null;

  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;

  @Field(() => MaintenanceReport, { nullable: true })
  report!: MaintenanceReport | null;

  @Field(() => String, { nullable: true })
  failure!: string | null;
}

@ObjectType()
export class MaintenanceRunPage {
  @Field(() => [MaintenanceRun])
  nodes!: MaintenanceRun[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class RunMaintenanceInput {
  @Field(() => GraphqlDate, {
    nullable: true,
    description: "The date the run is for; else today in the tenant's time zone.",
  })
  runDate?: string | null;
}
