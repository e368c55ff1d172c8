import { Field, ID, InputType, ObjectType } from '@nestjs/graphql';
import type { GroupId } from '@tempera/core';
import { PageInfo } from '../graphql/paging.js';

/** Projects of one group. */
export const MAX_GROUP_PROJECTS = 50;

/** `projects` is resolved by its own resolver, in one query for a whole list. */
@ObjectType({ description: 'Projects that share memories with each other, and not with the whole tenant.' })
export class Group {
  @Field(() => ID)
  id!: GroupId;

  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Date)
  createdAt!: Date;
}

@ObjectType()
export class GroupPage {
  @Field(() => [Group])
  nodes!: Group[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class CreateGroupInput {
  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => [String], { defaultValue: [], description: 'Slugs of projects that the caller may let in.' })
  projects!: string[];
}

@InputType({ description: 'What is left out stays.' })
export class UpdateGroupInput {
  @Field(() => String, { nullable: true })
  slug?: string | null;

  @Field(() => String, { nullable: true })
  name?: string | null;
}
