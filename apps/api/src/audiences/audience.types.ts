import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { GroupId, ProjectId, Scope, UserId } from '@tempera/core';
import type { AudienceAction } from '@tempera/platform';
import { MemoryScopeEnum } from '../memories/memory.enums.js';
import { AudienceActionEnum } from './audience.enums.js';

/** `project`, `group` and `owner` are resolved by their own resolvers; null where the caller may not see them. */
@ObjectType({ description: 'Who sees a memory.' })
export class Audience {
  readonly projectId!: ProjectId | null;
  readonly groupId!: GroupId | null;
  readonly ownerId!: UserId;

  @Field(() => MemoryScopeEnum)
  scope!: Scope;
}

@ObjectType({ description: 'One change of who sees a memory. Its owner and those who may edit the memory read it.' })
export class AudienceChange {
  readonly actorId!: UserId | null;

  @Field(() => ID)
  id!: string;

  @Field(() => Int, { description: '1, 2, … within the memory.' })
  number!: number;

  @Field(() => AudienceActionEnum)
  action!: AudienceAction;

  @Field(() => Audience)
  from!: Audience;

  @Field(() => Audience)
  to!: Audience;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => ID, { nullable: true, description: 'The change that took it back.' })
  undoneBy!: string | null;
}

/** Where a memory is to be seen, as a caller names it. */
@InputType()
export class AudienceInput {
  @Field(() => ID, { description: 'A memory of the caller: a full UUID or its first eight hex characters.' })
  memoryId!: string;

  @Field(() => MemoryScopeEnum)
  scope!: Scope;

  @Field(() => String, { nullable: true, description: "A project's slug; default: the memory's own." })
  project?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "A group's slug, for scope GROUP; default: the only one that the project is in.",
  })
  group?: string | null;
}
