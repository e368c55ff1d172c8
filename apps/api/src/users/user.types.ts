import { Field, ID, InputType, ObjectType } from '@nestjs/graphql';
import type { TenantRole, ProjectRole } from '@tempera/platform';
import { PageInfo } from '../graphql/paging.js';
import { ProjectRoleEnum } from '../projects/project-role.js';
import { TenantRoleEnum } from '../tenants/tenant.types.js';

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
