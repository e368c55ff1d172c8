import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MaintenanceService } from './maintenance.service.js';
import { MaintenanceRun, MaintenanceRunPage, RunMaintenanceInput } from './maintenance.types.js';

@Resolver(() => MaintenanceRun)
export class MaintenanceResolver {
  constructor(private readonly maintenance: MaintenanceService) {}

  @Query(() => MaintenanceRunPage)
  maintenanceRuns(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<MaintenanceRunPage> {
    return this.maintenance.page(caller, { first, after });
  }

  @Query(() => MaintenanceRun)
  maintenanceRun(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<MaintenanceRun> {
    return this.maintenance.byId(caller, id);
  }

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
