import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { ProjectAdminService } from './project-admin.service.js';
import { Project, UpdateProjectInput } from './project.types.js';

@Resolver(() => Project)
export class ProjectAdminResolver {
  constructor(private readonly admin: ProjectAdminService) {}

  @ForMachines('admin')
  @Mutation(() => Project, {
    description:
      "Changes a project's name, slug, or whether it reviews what is shared into it (owner, admin, or a maintainer of it).",
  })
  updateProject(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String }) project: string,
    @Args('input') input: UpdateProjectInput,
  ): Promise<Project> {
    return this.admin.update(caller, project, input);
  }

  @ForMachines('admin')
  @Mutation(() => Project, {
    description:
      'Archives a project (owner, admin): nothing is captured into it, and searches that do not name it pass it by.',
  })
  archiveProject(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String }) project: string,
  ): Promise<Project> {
    return this.admin.setArchived(caller, project, true);
  }

  @ForMachines('admin')
  @Mutation(() => Project, { description: 'Takes an archived project into use again (owner, admin).' })
  restoreProject(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String }) project: string,
  ): Promise<Project> {
    return this.admin.setArchived(caller, project, false);
  }

  @ForMachines('admin')
  @Mutation(() => Project, {
    description: 'Gives a project one more git remote (owner, admin, or a maintainer of it).',
  })
  addRemote(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String }) project: string,
    @Args('remote', { type: () => String }) remote: string,
  ): Promise<Project> {
    return this.admin.addRemote(caller, project, remote);
  }

  @ForMachines('admin')
  @Mutation(() => Project, { description: 'Takes a git remote from a project (owner, admin, or a maintainer of it).' })
  removeRemote(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String }) project: string,
    @Args('remote', { type: () => String }) remote: string,
  ): Promise<Project> {
    return this.admin.removeRemote(caller, project, remote);
  }
}
