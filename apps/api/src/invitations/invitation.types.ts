import { Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { UserId } from '@tempera/core';
import type { ProjectRole, TenantRole } from '@tempera/platform';
import { PageInfo } from '../graphql/paging.js';
import { ProjectRoleEnum } from '../projects/project-role.js';
import { TenantRoleEnum } from '../tenants/tenant.types.js';

export const InvitationStateEnum = { OPEN: 'open', USED: 'used', EXPIRED: 'expired', REVOKED: 'revoked' } as const;
registerEnumType(InvitationStateEnum, { name: 'InvitationState' });
export type InvitationState = (typeof InvitationStateEnum)[keyof typeof InvitationStateEnum];

@ObjectType({ description: 'An invitation that was sent; its code was shown once and is not kept.' })
export class SentInvitation {
  invitedById!: UserId | null;

  @Field(() => ID)
  id!: string;

  @Field(() => String)
  displayName!: string;

  @Field(() => String, { nullable: true })
  email!: string | null;

  @Field(() => TenantRoleEnum)
  role!: TenantRole;

  @Field(() => String, { nullable: true, description: 'Slug of the project that it leads into.' })
  project!: string | null;

  @Field(() => ProjectRoleEnum, { nullable: true })
  projectRole!: ProjectRole | null;

  @Field(() => InvitationStateEnum)
  state!: InvitationState;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date)
  expiresAt!: Date;

  @Field(() => Date, { nullable: true })
  usedAt!: Date | null;
}

@ObjectType()
export class SentInvitationPage {
  @Field(() => [SentInvitation])
  nodes!: SentInvitation[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}
