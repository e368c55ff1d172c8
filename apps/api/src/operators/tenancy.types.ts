import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { DeletionStatus, TenantStatus } from '@tempera/platform';
import { MAX_TABLES, RowCount } from '../erasures/row-count.types.js';
import { upTo } from '../graphql/limits/cost.js';
import { PageInfo } from '../graphql/paging.js';

export const TenantStatusEnum = { ACTIVE: 'active', SUSPENDED: 'suspended', DELETED: 'deleted' } as const;
registerEnumType(TenantStatusEnum, { name: 'TenantStatus' });

@ObjectType({ description: 'A tenant as operators see it: numbers, never contents.' })
export class TenantOverview {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  timeZone!: string;

  @Field(() => TenantStatusEnum)
  status!: TenantStatus;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Int, { description: 'Active ones.' })
  users!: number;

  @Field(() => Int, { description: 'Without archived ones.' })
  projects!: number;

  @Field(() => Int)
  memories!: number;

  @Field(() => Date, { nullable: true, description: 'Of a deleted one: until then it can be taken back.' })
  eraseAfter!: Date | null;
}

export const DeletionStatusEnum = {
  WAITING: 'waiting',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  TAKEN_BACK: 'taken-back',
} as const;
registerEnumType(DeletionStatusEnum, { name: 'DeletionStatus' });

@ObjectType({ description: 'The deletion of a tenant; completed, it is the receipt, which outlives the tenant.' })
export class TenantDeletion {
  @Field(() => ID, { description: "The tenant's." })
  id!: string;

  @Field(() => ID, { nullable: true, description: 'Who deleted it.' })
  operatorId!: string | null;

  @Field(() => DeletionStatusEnum, { description: 'FAILED: traces are left, and the tenant stays closed.' })
  status!: DeletionStatus;

  @Field(() => Date)
  requestedAt!: Date;

  @Field(() => Date, { description: 'Until then it can be taken back.' })
  eraseAfter!: Date;

  @Field(() => [RowCount], { description: 'Rows that went.', complexity: upTo(MAX_TABLES) })
  counts!: RowCount[];

  @Field(() => Int, { description: 'Tables that were searched for what is left.' })
  searchedTables!: number;

  @Field(() => [RowCount], {
    description: 'Rows that name the tenant still; none once completed.',
    complexity: upTo(MAX_TABLES),
  })
  traces!: RowCount[];

  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;
}

@ObjectType()
export class TenantOverviewPage {
  @Field(() => [TenantOverview])
  nodes!: TenantOverview[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class TenantFilter {
  @Field(() => TenantStatusEnum, { nullable: true })
  status?: TenantStatus | null;

  @Field(() => String, { nullable: true, description: 'Part of the name.' })
  name?: string | null;
}
