import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { ResetSettingInput, Setting, SetSettingInput } from './setting.types.js';
import { SettingsService } from './settings.service.js';

@Resolver(() => Setting)
export class SettingResolver {
  constructor(private readonly service: SettingsService) {}

  @ForMachines('read')
  @Query(() => [Setting], { description: 'Every setting with its range, its default and what is in force.' })
  settings(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
  ): Promise<Setting[]> {
    return this.service.list(caller, project ?? null);
  }

  @ForMachines('admin')
  @Mutation(() => Setting, {
    description: 'Sets a key for the tenant (owner, admin) or for a project (its maintainers too).',
  })
  setSetting(@CurrentCaller() caller: Caller, @Args('input') input: SetSettingInput): Promise<Setting> {
    return this.service.set(caller, input);
  }

  @ForMachines('admin')
  @Mutation(() => Setting, {
    description: "Takes a value away, so that the tenant's or the default holds (who may set it).",
  })
  resetSetting(@CurrentCaller() caller: Caller, @Args('input') input: ResetSettingInput): Promise<Setting> {
    return this.service.reset(caller, input);
  }
}
