import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Schedule, SetScheduleInput } from './schedule.types.js';
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
}
