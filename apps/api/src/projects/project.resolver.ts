import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { ProjectRole } from '@tempera/platform';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { bytes } from '../graphql/limits/cost.js';
import { MembersService } from './members.service.js';
import { ProjectLoaders } from './project-loaders.js';
import { ProjectRoleEnum } from './project-role.js';
import {
  AddMemberInput,
  CreateProjectInput,
  MAX_REMOTE_BYTES,
  MAX_REMOTES,
  Member,
  Project,
  ProjectPage,
} from './project.types.js';
import { ProjectsService } from './projects.service.js';

@Resolver(() => Project)
export class ProjectResolver {
  constructor(
    private readonly projectsService: ProjectsService,
    private readonly membersService: MembersService,
    private readonly loaders: ProjectLoaders,
  ) {}

  @ForMachines('read')
  @Query(() => ProjectPage, { description: "The caller's projects; admins see all of the tenant's." })
  projects(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('archived', { type: () => Boolean, defaultValue: false, description: 'The archived ones instead.' })
    archived = false,
  ): Promise<ProjectPage> {
    return this.projectsService.page(caller, { first, after }, archived);
  }

  @ForMachines('read')
  @Query(() => Project, { description: 'One project by its slug.' })
  project(@CurrentCaller() caller: Caller, @Args('slug', { type: () => String }) slug: string): Promise<Project> {
    return this.projectsService.bySlug(caller, slug);
  }

  @ForMachines('admin')
  @Mutation(() => Project)
  createProject(@CurrentCaller() caller: Caller, @Args('input') input: CreateProjectInput): Promise<Project> {
    return this.projectsService.create(caller, input);
  }

  @ForMachines('admin')
  @Mutation(() => Member, {
    description: 'Adds a person to a project or changes the role (owner, admin, or a maintainer of it).',
  })
  addMember(@CurrentCaller() caller: Caller, @Args('input') input: AddMemberInput): Promise<Member> {
    return this.membersService.add(caller, input);
  }

  @ForMachines('admin')
  @Mutation(() => Project, { description: 'Takes a person out of a project (owner, admin).' })
  removeMember(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String }) project: string,
    @Args('userId', { type: () => ID }) userId: string,
  ): Promise<Project> {
    return this.membersService.remove(caller, project, userId);
  }

  @ResolveField(() => [String], { complexity: bytes(MAX_REMOTES * MAX_REMOTE_BYTES) })
  async remotes(@Parent() { id }: Project, @Context() context: GraphqlContext): Promise<string[]> {
    const remotes = await context.loaders.of(this.loaders.remotes).load(id);
    return remotes.map(({ remote }) => remote);
  }

  @ResolveField(() => [Member])
  members(@Parent() { id }: Project, @Context() context: GraphqlContext): Promise<Member[]> {
    return context.loaders.of(this.loaders.members).load(id);
  }

  @ResolveField(() => ProjectRoleEnum, { nullable: true })
  async myRole(
    @Parent() { id }: Project,
    @CurrentCaller() caller: Caller,
    @Context() context: GraphqlContext,
  ): Promise<ProjectRole | null> {
    const members = await context.loaders.of(this.loaders.members).load(id);
    return members.find(({ userId }) => userId === caller.userId)?.role ?? null;
  }
}
