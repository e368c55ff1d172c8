import { Args, Context, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { upTo } from '../graphql/limits/cost.js';
import { ProjectLoaders } from '../projects/project-loaders.js';
import { Project } from '../projects/project.types.js';
import { GroupLoaders } from './group-loaders.js';
import { CreateGroupInput, Group, GroupPage, MAX_GROUP_PROJECTS, UpdateGroupInput } from './group.types.js';
import { GroupsService } from './groups.service.js';

const slugOf = { type: (): StringConstructor => String };
const MOVE_BACK = {
  type: (): BooleanConstructor => Boolean,
  defaultValue: false,
  description: 'Moves the memories that are shared with the group through it back to their projects first.',
};

@Resolver(() => Group)
export class GroupResolver {
  constructor(
    private readonly service: GroupsService,
    private readonly loaders: GroupLoaders,
    private readonly projectLoaders: ProjectLoaders,
  ) {}

  @ForMachines('read')
  @Query(() => GroupPage, { description: "The groups of the caller's projects; admins see all of the tenant's." })
  groups(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<GroupPage> {
    return this.service.page(caller, { first, after });
  }

  @ForMachines('read')
  @Query(() => Group, { description: 'One group by its slug.' })
  group(@CurrentCaller() caller: Caller, @Args('slug', slugOf) slug: string): Promise<Group> {
    return this.service.bySlug(caller, slug);
  }

  @ForMachines('admin')
  @Mutation(() => Group, { description: 'Makes a group of projects (owner, admin, or a maintainer of a project).' })
  createGroup(@CurrentCaller() caller: Caller, @Args('input') input: CreateGroupInput): Promise<Group> {
    return this.service.create(caller, input);
  }

  @ForMachines('admin')
  @Mutation(() => Group, { description: "Changes a group's name or slug (owner, admin, or a maintainer in it)." })
  updateGroup(
    @CurrentCaller() caller: Caller,
    @Args('group', slugOf) group: string,
    @Args('input') input: UpdateGroupInput,
  ): Promise<Group> {
    return this.service.update(caller, group, input);
  }

  @ForMachines('admin')
  @Mutation(() => Group, {
    description:
      "Lets a project into a group, which shows the group's memories to the project's members (owner, admin, or who maintains the project and one of the group).",
  })
  addProjectToGroup(
    @CurrentCaller() caller: Caller,
    @Args('group', slugOf) group: string,
    @Args('project', slugOf) project: string,
  ): Promise<Group> {
    return this.service.add(caller, group, project);
  }

  @ForMachines('admin')
  @Mutation(() => Group, { description: 'Puts a project out of a group (owner, admin, or its maintainer).' })
  removeProjectFromGroup(
    @CurrentCaller() caller: Caller,
    @Args('group', slugOf) group: string,
    @Args('project', slugOf) project: string,
    @Args('moveBack', MOVE_BACK) moveBack: boolean,
  ): Promise<Group> {
    return this.service.remove(caller, group, project, moveBack);
  }

  @ForMachines('admin')
  @Mutation(() => Group, { description: 'Deletes a group that shares nothing any more (owner, admin).' })
  deleteGroup(
    @CurrentCaller() caller: Caller,
    @Args('group', slugOf) group: string,
    @Args('moveBack', MOVE_BACK) moveBack: boolean,
  ): Promise<Group> {
    return this.service.delete(caller, group, moveBack);
  }

  @ResolveField(() => [Project], {
    complexity: upTo(MAX_GROUP_PROJECTS),
    description: 'Those of its projects that the caller may see.',
  })
  async projects(@Parent() { id }: Group, @Context() context: GraphqlContext): Promise<Project[]> {
    const rows = await context.loaders.of(this.loaders.projects).load(id);
    const byId = context.loaders.of(this.projectLoaders.byId);
    const projects = await Promise.all(rows.slice(0, MAX_GROUP_PROJECTS).map(({ projectId }) => byId.load(projectId)));
    return projects.filter((project) => project !== null);
  }
}
