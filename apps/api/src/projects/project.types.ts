import { Field, ID, InputType, ObjectType } from '@nestjs/graphql';
import type { ProjectId, UserId } from '@tempera/core';
import type { ProjectRole } from '@tempera/platform';
import { PageInfo } from '../graphql/paging.js';
import { ProjectRoleEnum } from './project-role.js';

/** Remotes of one project, and the length of one (host names and paths, nearly always ASCII). */
export const MAX_REMOTES = 20;
export const MAX_REMOTE_BYTES = 2_000;

/** `remotes`, `members` and `myRole` are resolved by their own resolvers, in one query for a whole list. */
@ObjectType()
export class Project {
  @Field(() => ID)
  id!: ProjectId;

  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Archived since then: nothing is captured into it, and searches that do not name it pass it by.',
  })
  archivedAt!: Date | null;

  @Field(() => Boolean, { description: 'What its contributors share into it waits for a maintainer.' })
  reviewRequired!: boolean;
}

@ObjectType()
export class Member {
  userId!: UserId;

  @Field(() => ProjectRoleEnum)
  role!: ProjectRole;
}

@ObjectType()
export class ProjectMembership {
  projectId!: ProjectId;

  @Field(() => ProjectRoleEnum)
  role!: ProjectRole;
}

@ObjectType()
export class ProjectPage {
  @Field(() => [Project])
  nodes!: Project[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class CreateProjectInput {
  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => [String], { defaultValue: [] })
  remotes!: string[];
}

@InputType({ description: 'What is left out stays.' })
export class UpdateProjectInput {
  @Field(() => String, { nullable: true })
  slug?: string | null;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => Boolean, { nullable: true })
  reviewRequired?: boolean | null;
}

@InputType()
export class AddMemberInput {
  @Field(() => String)
  project!: string;

  @Field(() => ID)
  userId!: string;

  @Field(() => ProjectRoleEnum, { defaultValue: 'contributor' })
  role!: ProjectRole;
}
