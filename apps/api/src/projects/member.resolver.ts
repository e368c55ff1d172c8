import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { noSuchUser } from '../users/no-such-user.js';
import { User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { ProjectLoaders } from './project-loaders.js';
import { Member, Project, ProjectMembership } from './project.types.js';
import { noSuchProject } from './require-project.js';

@Resolver(() => Member)
export class MemberResolver {
  constructor(private readonly users: UsersService) {}

  @ResolveField(() => User)
  async user(@Parent() { userId }: Member, @Context() context: GraphqlContext): Promise<User> {
    const user = await context.loaders.of(this.users.byId).load(userId);
    if (user === null) throw noSuchUser();
    return user;
  }
}

@Resolver(() => ProjectMembership)
export class ProjectMembershipResolver {
  constructor(private readonly loaders: ProjectLoaders) {}

  @ResolveField(() => Project)
  async project(@Parent() { projectId }: ProjectMembership, @Context() context: GraphqlContext): Promise<Project> {
    const project = await context.loaders.of(this.loaders.byId).load(projectId);
    if (project === null) throw noSuchProject();
    return project;
  }
}
