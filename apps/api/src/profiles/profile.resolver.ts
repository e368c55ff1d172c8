import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { ProfileService } from './profile.service.js';
import { Profile } from './profile.types.js';

/** It compares some hundred memories. */
const REFRESH_POINTS = 20;

@Resolver(() => Profile)
export class ProfileResolver {
  constructor(private readonly service: ProfileService) {}

  @ForMachines('read')
  @Query(() => Profile, {
    description:
      "The caller's own profile, which nobody else reads, or that of a project, from what all its members see.",
  })
  profile(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
  ): Promise<Profile> {
    return this.service.read(caller, project ?? null);
  }

  @ForMachines('write')
  @Mutation(() => Profile, {
    description: 'Chooses anew what a profile tells, as the nights do; of a project by who contributes there.',
    complexity: ({ childComplexity }) => REFRESH_POINTS + childComplexity,
  })
  refreshProfile(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
  ): Promise<Profile> {
    return this.service.refresh(caller, project ?? null);
  }
}
