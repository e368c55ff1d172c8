import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MaintenanceService } from './maintenance.service.js';
import {
  MaintenanceChangePage,
  MaintenanceRun,
  MaintenanceRunPage,
  PropagationPreview,
  RunMaintenanceInput,
} from './maintenance.types.js';
import { PropagationPreviewService } from './propagation-preview.service.js';

/** It reads all that something can reach. */
const PREVIEW_COST = 500;

@Resolver(() => MaintenanceRun)
export class MaintenanceResolver {
  constructor(
    private readonly maintenance: MaintenanceService,
    private readonly previews: PropagationPreviewService,
  ) {}

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

  @ForMachines('read')
  @Query(() => MaintenanceChangePage, {
    description: 'What a run did, or of a dry run would do, to memories that the caller sees; the report counts all.',
  })
  maintenanceChanges(
    @CurrentCaller() caller: Caller,
    @Args('runId', { type: () => ID }) runId: string,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<MaintenanceChangePage> {
    return this.maintenance.changes(caller, runId, { first, after });
  }

  @ForMachines('admin')
  @Mutation(() => MaintenanceRun, {
    description:
      'Cancels a run that has not ended (owner, admin). What its pages did stays; the same can be asked for again at once.',
  })
  cancelMaintenance(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<MaintenanceRun> {
    return this.maintenance.cancel(caller, id);
  }

  @ForMachines('admin')
  @Mutation(() => MaintenanceRun, {
    description: 'Asks for a maintenance run of the tenant (owner, admin); the worker picks it up at once.',
  })
  runMaintenance(@CurrentCaller() caller: Caller, @Args('input') input: RunMaintenanceInput): Promise<MaintenanceRun> {
    return this.maintenance.request(caller, input);
  }

  @ForMachines('read')
  @Query(() => PropagationPreview, {
    description: 'What lending would do now, over a project or everything the caller sees; it changes nothing.',
    complexity: PREVIEW_COST,
  })
  propagationPreview(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
  ): Promise<PropagationPreview> {
    return this.previews.preview(caller, project ?? null);
  }
}
