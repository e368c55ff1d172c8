import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ProjectRole, TenantRole, UserStatus } from '@tempera/platform';
import { PageInfo } from '../graphql/paging.js';
import { ProjectRoleEnum } from '../projects/project-role.js';
import { TenantRoleEnum } from '../tenants/tenant.types.js';

export const UserStatusEnum = { ACTIVE: 'active', SUSPENDED: 'suspended', REMOVED: 'removed' } as const;
registerEnumType(UserStatusEnum, { name: 'UserStatus' });

@ObjectType()
export class User {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  displayName!: string;

  @Field(() => String, { nullable: true, description: 'Shown to the person and to admins.' })
  email!: string | null;

  @Field(() => TenantRoleEnum, { nullable: true, description: 'Shown to the person and to admins.' })
  role!: TenantRole | null;

  @Field(() => UserStatusEnum, { nullable: true, description: 'Shown to the person and to admins.' })
  status!: UserStatus | null;

  @Field(() => Date, { nullable: true, description: 'Shown to the person and to admins.' })
  createdAt!: Date | null;
}

@ObjectType()
export class UserPage {
  @Field(() => [User])
  nodes!: User[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class UserFilter {
  @Field(() => UserStatusEnum, { defaultValue: 'active' })
  status!: UserStatus;

  @Field(() => TenantRoleEnum, { nullable: true })
  role?: TenantRole | null;

  @Field(() => String, { nullable: true, description: 'Part of the name.' })
  name?: string | null;
}

@InputType()
export class InviteUserInput {
  @Field(() => String)
  displayName!: string;

  @Field(() => String, { nullable: true })
  email?: string | null;

  @Field(() => TenantRoleEnum, { defaultValue: 'member' })
  role!: TenantRole;

  @Field(() => String, { nullable: true })
  project?: string | null;

  @Field(() => ProjectRoleEnum, { nullable: true })
  projectRole?: ProjectRole | null;
}

@ObjectType()
export class Invitation {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: 'The one-time code, shown only now.' })
  code!: string;

  @Field(() => Date)
  expiresAt!: Date;
}

@ObjectType()
export class LoginCode {
  @Field(() => String)
  code!: string;

  @Field(() => Date)
  expiresAt!: Date;
}
