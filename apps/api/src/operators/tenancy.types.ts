import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { TenantStatus } from '@tempera/platform';
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
