import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ChangeAction, RunStatus } from '@tempera/platform';
import { MAINTENANCE_STEPS, type MaintenanceStep, type RunKind } from '@tempera/platform/temporal/contract';
import { upTo } from '../graphql/limits/cost.js';
import { PageInfo } from '../graphql/paging.js';
import { GraphqlDate } from '../graphql/scalars/date.scalar.js';

export const RunStatusEnum = {
  REQUESTED: 'requested',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
} as const;
registerEnumType(RunStatusEnum, { name: 'RunStatus' });

export const RunKindEnum = {
  NIGHTLY: 'nightly',
  EXPIRE: 'expire',
  CREDIT: 'credit',
  PROPAGATE: 'propagate',
  CONSOLIDATE: 'consolidate',
  PRUNE: 'prune',
  PURGE: 'purge',
  PROFILES: 'profiles',
  HEALTH: 'health',
} as const satisfies Record<string, RunKind>;
registerEnumType(RunKindEnum, {
  name: 'RunKind',
  valuesMap: {
    NIGHTLY: { description: 'What a night does, step by step.' },
    EXPIRE: { description: 'Archives what was meant to hold until a day that is over.' },
    CREDIT: { description: 'Credit along time alone.' },
    PROPAGATE: { description: 'Lending alone.' },
    CONSOLIDATE: { description: 'Merges what one author wrote and says the same; names what several wrote.' },
    PRUNE: { description: 'Archives what nobody needs.' },
    PURGE: { description: 'Erases what was forgotten long ago, and clears what was kept long enough.' },
    PROFILES: { description: 'Chooses anew what the profiles of people and projects tell.' },
    HEALTH: { description: 'Notes how many memories each place has and what they are worth, for trends.' },
  },
});

export const RunStepEnum = {
  EXPIRE: 'expire',
  CREDIT: 'credit',
  SNAPSHOT: 'snapshot',
  PROPAGATE: 'propagate',
  CONSOLIDATE: 'consolidate',
  PRUNE: 'prune',
  PURGE: 'purge',
  PROFILES: 'profiles',
  HEALTH: 'health',
} as const satisfies Record<string, MaintenanceStep>;
registerEnumType(RunStepEnum, { name: 'RunStep' });

/** How far a step of a run has got. */
export type StepState = 'waiting' | 'running' | 'done' | 'not-done';
export const StepStateEnum = {
  WAITING: 'waiting',
  RUNNING: 'running',
  DONE: 'done',
  NOT_DONE: 'not-done',
} as const satisfies Record<string, StepState>;
registerEnumType(StepStateEnum, {
  name: 'StepState',
  valuesMap: { NOT_DONE: { description: 'The run ended before.' } },
});

export const ChangeActionEnum = {
  EXPIRED: 'expired',
  MERGED: 'merged',
  PROPOSED: 'proposed',
  PRUNED: 'pruned',
  ERASED: 'erased',
  SET_ASIDE: 'set-aside',
} as const satisfies Record<string, ChangeAction>;
registerEnumType(ChangeActionEnum, {
  name: 'ChangeAction',
  valuesMap: {
    PROPOSED: { description: 'For a maintainer to merge: it is of several people.' },
    SET_ASIDE: { description: 'The step could not work on it, and went on without it.' },
  },
});

@ObjectType({ description: 'What a run did, or of a dry run would do.' })
export class MaintenanceReport {
  @Field(() => Int, { description: 'Memories archived because their time was over.' })
  expired!: number;

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

  @Field(() => Int, { description: 'Memories that became part of another of the same author.' })
  merged!: number;

  @Field(() => Int, { description: 'Memories that could, and are of several people: for a maintainer to merge.' })
  proposed!: number;

  @Field(() => Int, { description: 'Pairs near enough to be one, and kept apart by the conflict guard.' })
  guarded!: number;

  @Field(() => Int, { description: 'Memories archived because nobody needs them.' })
  pruned!: number;

  @Field(() => Int, { description: 'Memories erased for good.' })
  erased!: number;

  @Field(() => Int, { description: 'Questions whose words were taken away.' })
  cleared!: number;

  @Field(() => Int, { description: 'Rows of other kinds that were kept long enough.' })
  removed!: number;

  @Field(() => Int, { description: 'Profiles that were chosen anew.' })
  profiles!: number;

  @Field(() => Int, { description: 'Places whose health was noted.' })
  measured!: number;

  @Field(() => Int, { description: 'Memories that a step could not work on, and went on without.' })
  setAside!: number;
}

@ObjectType()
export class MaintenanceStepReport {
  @Field(() => RunStepEnum)
  step!: MaintenanceStep;

  @Field(() => StepStateEnum)
  state!: StepState;

  @Field(() => Int)
  pages!: number;

  @Field(() => Int, { description: 'Memories it looked at, or rows of other kinds.' })
  looked!: number;

  @Field(() => Int, { description: 'How many of them changed, or would.' })
  changed!: number;

  @Field(() => Int)
  setAside!: number;

  @Field(() => Date, { nullable: true, description: 'When its last page was done.' })
  finishedAt!: Date | null;
}

@ObjectType()
export class MaintenanceRun {
  @Field(() => ID)
  id!: string;

  @Field(() => RunKindEnum, { description: 'What was run.' })
  kind!: RunKind;

  @Field(() => Boolean, { description: 'It only tells what it would do.' })
  dryRun!: boolean;

  @Field(() => GraphqlDate, { description: "The date the run is for, in the tenant's time zone." })
  runDate!: string;

  @Field(() => [MaintenanceStepReport], {
    description: 'Its steps in their order; none until it begins.',
    complexity: upTo(MAINTENANCE_STEPS.length),
  })
  steps!: MaintenanceStepReport[];

  @Field(() => RunStatusEnum)
  status!: RunStatus;

  @Field(() => Date, { description: 'When it was asked for, by a person or the schedule.' })
  requestedAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When the worker began; null while it waits.' })
  startedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was completed, failed or cancelled.' })
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

@ObjectType()
export class MaintenanceChange {
  @Field(() => RunStepEnum)
  step!: MaintenanceStep;

  @Field(() => ID)
  memoryId!: string;

  @Field(() => ChangeActionEnum)
  action!: ChangeAction;

  @Field(() => [String], { description: 'Why: codes such as age, utility, forgotten.' })
  reasons!: readonly string[];

  @Field(() => ID, { nullable: true, description: 'What it became part of.' })
  intoId!: string | null;
}

@ObjectType()
export class MaintenanceChangePage {
  @Field(() => [MaintenanceChange])
  nodes!: MaintenanceChange[];

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

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Only tells what it would do: of a night, the steps that remove or join memories.',
  })
  dryRun!: boolean;
}
