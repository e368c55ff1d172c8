import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';

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

@InputType({ description: 'What is left out stays.' })
export class UpdateTenantInput {
  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Of its nights and dates, such as Europe/Zurich.' })
  timeZone?: string | null;
}
