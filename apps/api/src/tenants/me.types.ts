import { Field, ObjectType } from '@nestjs/graphql';
import { ProjectMembership } from '../projects/project.types.js';
import { User } from '../users/user.types.js';
import { Tenant } from './tenant.types.js';

@ObjectType()
export class Me {
  @Field(() => User)
  user!: User;

  @Field(() => Tenant)
  tenant!: Tenant;

  @Field(() => [ProjectMembership])
  memberships!: ProjectMembership[];
}
