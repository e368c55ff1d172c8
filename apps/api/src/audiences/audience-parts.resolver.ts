import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { upTo } from '../graphql/limits/cost.js';
import { GroupLoaders } from '../groups/group-loaders.js';
import { Group } from '../groups/group.types.js';
import { AuthorLoader } from '../memories/author-loader.js';
import { Memory } from '../memories/memory.types.js';
import { ProjectLoaders } from '../projects/project-loaders.js';
import { Project } from '../projects/project.types.js';
import { User } from '../users/user.types.js';
import { AudienceLoader, CHANGES_SHOWN } from './audience-loader.js';
import { Audience, AudienceChange } from './audience.types.js';

/** Whom a memory is shared with, and since when. */
@Resolver(() => Memory)
export class MemoryAudienceResolver {
  constructor(
    private readonly changes: AudienceLoader,
    private readonly groups: GroupLoaders,
  ) {}

  @ResolveField(() => Group, { nullable: true, description: 'The group that sees it, for scope GROUP.' })
  group(@Parent() { groupId }: Memory, @Context() context: GraphqlContext): Promise<Group | null> | null {
    return groupId === null ? null : context.loaders.of(this.groups.byId).load(groupId);
  }

  @ResolveField(() => [AudienceChange], {
    complexity: upTo(CHANGES_SHOWN),
    description: 'Who saw it when, newest first, the last 20; for its owner and those who may edit it.',
  })
  audienceChanges(@Parent() { id }: Memory, @Context() context: GraphqlContext): Promise<AudienceChange[]> {
    return context.loaders.of(this.changes.changes).load(id);
  }
}

@Resolver(() => AudienceChange)
export class AudienceChangeResolver {
  constructor(private readonly authors: AuthorLoader) {}

  @ResolveField(() => User, { nullable: true })
  actor(@Parent() { actorId }: AudienceChange, @Context() context: GraphqlContext): Promise<User> | null {
    return actorId === null ? null : this.authors.load(context, actorId);
  }
}

@Resolver(() => Audience)
export class AudiencePartsResolver {
  constructor(
    private readonly projects: ProjectLoaders,
    private readonly groups: GroupLoaders,
    private readonly authors: AuthorLoader,
  ) {}

  @ResolveField(() => Project, { nullable: true })
  project(@Parent() { projectId }: Audience, @Context() context: GraphqlContext): Promise<Project | null> | null {
    return projectId === null ? null : context.loaders.of(this.projects.byId).load(projectId);
  }

  @ResolveField(() => Group, { nullable: true })
  group(@Parent() { groupId }: Audience, @Context() context: GraphqlContext): Promise<Group | null> | null {
    return groupId === null ? null : context.loaders.of(this.groups.byId).load(groupId);
  }

  @ResolveField(() => User)
  owner(@Parent() { ownerId }: Audience, @Context() context: GraphqlContext): Promise<User> {
    return this.authors.load(context, ownerId);
  }
}
