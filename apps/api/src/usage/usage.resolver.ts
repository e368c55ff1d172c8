import { Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { ProjectLoaders } from '../projects/project-loaders.js';
import { Project } from '../projects/project.types.js';
import { User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { UsageService } from './usage.service.js';
import { ProjectUsage, Usage, UserUsage } from './usage.types.js';

@Resolver(() => Usage)
export class UsageResolver {
  constructor(private readonly service: UsageService) {}

  @Query(() => Usage, {
    description: 'What is kept and done, beside the quota: the tenant’s for owners and admins, else one’s own.',
  })
  usage(@CurrentCaller() caller: Caller): Promise<Usage> {
    return this.service.of(caller);
  }
}

@Resolver(() => UserUsage)
export class UserUsageResolver {
  constructor(private readonly users: UsersService) {}

  @ResolveField(() => User, { nullable: true, description: 'Null: the account ended a moment ago.' })
  user(@Parent() { userId }: UserUsage, @Context() context: GraphqlContext): Promise<User | null> {
    return context.loaders.of(this.users.byId).load(userId);
  }
}

@Resolver(() => ProjectUsage)
export class ProjectUsageResolver {
  constructor(private readonly projects: ProjectLoaders) {}

  @ResolveField(() => Project, { nullable: true })
  project(@Parent() { projectId }: ProjectUsage, @Context() context: GraphqlContext): Promise<Project | null> {
    return context.loaders.of(this.projects.byId).load(projectId);
  }
}
