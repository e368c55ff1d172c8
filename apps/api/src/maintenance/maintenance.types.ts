import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { RunStatus } from '@tempera/platform';
import type { RunKind } from '@tempera/platform/temporal/contract';
import { PageInfo } from '../graphql/paging.js';
import { GraphqlDate } from '../graphql/scalars/date.scalar.js';

export const RunStatusEnum = {
  REQUESTED: 'requested',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
} as const;
registerEnumType(RunStatusEnum, { name: 'RunStatus' });

export const RunKindEnum = { NIGHTLY: 'nightly', PROPAGATE: 'propagate' } as const;
registerEnumType(RunKindEnum, {
  name: 'RunKind',
  valuesMap: {
    NIGHTLY: { description: 'Credit along time, then lending.' },
    PROPAGATE: { description: 'Lending alone.' },
  },
});

@ObjectType()
export class MaintenanceReport {
  @Field(() => Int, {
    description: 'Credits that were given, or taken back because an episode is no success any more.',
  })
  credited!: number;

  @Field(() => Int, { description: 'Memories the run looked at.' })
  snapshots!: number;

  @Field(() => Int, { description: 'Memories that lend: others found them helpful, and they are asked for.' })
  sources!: number;

  @Field(() => Int, { description: 'How many steps from a source the lending reaches.' })
  hops!: number;

  @Field(() => Int, { description: 'Memories of which what others lend them changed.' })
  touched!: number;

  @Field(() => Float, { description: 'The largest change of a loan, 0..1.' })
  residual!: number;

  @Field(() => Boolean, {
    description: 'Whether that change is too small to matter: another night would change nothing.',
  })
  converged!: boolean;
}

@ObjectType()
export class MaintenanceRun {
  @Field(() => ID)
  id!: string;

  @Field(() => RunKindEnum, { description: 'What was run.' })
  kind!: RunKind;

  @Field(() => GraphqlDate, { description: "The date the run is for, in the tenant's time zone." })
  runDate!: string;

  @Field(() => RunStatusEnum)
  status!: RunStatus;

  @Field(() => Date, { description: 'When it was asked for, by a person or the schedule.' })
  requestedAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When the worker began; null while it waits.' })
  startedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was completed or failed.' })
  finishedAt!: Date | null;

  @Field(() => MaintenanceReport, { nullable: true, description: 'What the run did, once it is completed.' })
  report!: MaintenanceReport | null;

  @Field(() => String, { nullable: true, description: 'Why it failed.' })
  failure!: string | null;
}

@ObjectType()
export class MaintenanceRunPage {
  @Field(() => [MaintenanceRun])
  nodes!: MaintenanceRun[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'What lending would do now, over the memories that the caller sees. Nothing was changed.' })
export class PropagationPreview {
  @Field(() => Int, { description: 'Memories that would lend.' })
  sources!: number;

  @Field(() => Int, { description: 'How many steps from a source the lending would reach.' })
  hops!: number;

  @Field(() => Int, { description: 'Memories of which what others lend them would change.' })
  touched!: number;

  @Field(() => Float, { description: 'The largest change of a loan, 0..1.' })
  residual!: number;

  @Field(() => Boolean, { description: 'Whether that change is too small to matter.' })
  converged!: boolean;
}

@InputType()
export class RunMaintenanceInput {
  @Field(() => RunKindEnum, { defaultValue: 'nightly' })
  kind!: RunKind;

  @Field(() => GraphqlDate, {
    nullable: true,
    description: "The date the run is for; else today in the tenant's time zone.",
  })
  runDate?: string | null;
}
