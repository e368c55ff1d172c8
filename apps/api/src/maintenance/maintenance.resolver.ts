import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MaintenanceService } from './maintenance.service.js';
import { MaintenanceRun, MaintenanceRunPage, RunMaintenanceInput } from './maintenance.types.js';

@Resolver(() => MaintenanceRun)
export class MaintenanceResolver {
  constructor(private readonly maintenance: MaintenanceService) {}

  @ForMachines('read')
  @Query(() => MaintenanceRunPage)
  maintenanceRuns(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<MaintenanceRunPage> {
    return this.maintenance.page(caller, { first, after });
  }

  @ForMachines('read')
  @Query(() => MaintenanceRun)
  maintenanceRun(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<MaintenanceRun> {
    return this.maintenance.byId(caller, id);
  }

  @ForMachines('admin')
  @Mutation(() => MaintenanceRun, {
    description: 'Asks for a maintenance run of the tenant (owner, admin); the worker picks it up at once.',
  })
  runMaintenance(
    @CurrentCaller() caller: Caller,
    @Args('input') { runDate }: RunMaintenanceInput,
  ): Promise<MaintenanceRun> {
    return this.maintenance.request(caller, runDate);
  }
}
