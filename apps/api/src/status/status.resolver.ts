import { Args, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { StatusService } from './status.service.js';
import { Status } from './status.types.js';

@Resolver(() => Status)
export class StatusResolver {
  constructor(private readonly service: StatusService) {}

  @ForMachines('read')
  @Query(() => Status, { description: "Health of a project's memory, or of everything the caller sees, with advice." })
  status(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
  ): Promise<Status> {
    return this.service.status(caller, project ?? null);
  }
}
