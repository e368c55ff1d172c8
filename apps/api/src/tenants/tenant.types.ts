import { Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';

export const TenantRoleEnum = { OWNER: 'owner', ADMIN: 'admin', MEMBER: 'member', VIEWER: 'viewer' } as const;
registerEnumType(TenantRoleEnum, { name: 'TenantRole' });

@ObjectType()
export class Tenant {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  timeZone!: string;

  @Field(() => Date)
  createdAt!: Date;
}
