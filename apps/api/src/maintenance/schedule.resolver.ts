import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { type ScheduleKind } from '@tempera/platform';
import { Schedule, ScheduleKindEnum, SetScheduleInput } from './schedule.types.js';
import { SchedulesService } from './schedules.service.js';

@Resolver(() => Schedule)
export class ScheduleResolver {
  constructor(private readonly service: SchedulesService) {}

  @ForMachines('admin')
  @Query(() => [Schedule], { description: 'When recurring work is wanted (owner, admin).' })
  schedules(@CurrentCaller() caller: Caller): Promise<Schedule[]> {
    return this.service.list(caller);
  }

  @ForMachines('admin')
  @Mutation(() => Schedule, { description: 'Changes when recurring work is wanted, or pauses it (owner, admin).' })
  setSchedule(@CurrentCaller() caller: Caller, @Args('input') input: SetScheduleInput): Promise<Schedule> {
    return this.service.set(caller, input);
  }

  @ForMachines('admin')
  @Mutation(() => Schedule, {
    description: 'Pauses the nights or one of their steps, or resumes it (owner, admin). It can still be run by hand.',
  })
  pauseSchedule(
    @CurrentCaller() caller: Caller,
    @Args('kind', { type: () => ScheduleKindEnum }) kind: ScheduleKind,
    @Args('paused', { type: () => Boolean, defaultValue: true }) paused: boolean,
  ): Promise<Schedule> {
    return this.service.set(caller, { kind, paused });
  }
}
