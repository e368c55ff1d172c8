import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { ReviewService } from './review.service.js';
import { Review } from './review.types.js';
import { UpkeepService } from './upkeep.service.js';
import { CleanedUp, CleanupInput, Consolidated, ConsolidateInput, MergedByHand, Undone } from './upkeep.types.js';

/** Comparing texts takes as long as many captures. */
const UPKEEP_POINTS = 100;
const withWork = ({ childComplexity }: { readonly childComplexity: number }): number => UPKEEP_POINTS + childComplexity;

@Resolver()
export class UpkeepResolver {
  constructor(
    private readonly reviews: ReviewService,
    private readonly upkeep: UpkeepService,
  ) {}

  @ForMachines('read')
  @Query(() => Review, {
    description:
      'What could be merged, pruned or looked at: of what a project shares, or of the private memories of the caller. Changes nothing.',
    complexity: withWork,
  })
  review(
    @CurrentCaller() caller: Caller,
    @Args('project', { type: () => String, nullable: true }) project?: string | null,
    @Args('after', { type: () => ID, nullable: true }) after?: string | null,
  ): Promise<Review> {
    return this.reviews.review(caller, { project: project ?? null, after: after ?? null });
  }

  @ForMachines('write')
  @Mutation(() => Consolidated, {
    description:
      'Merges memories of one author, audience and kind that say the same; the newest text stays. A dry run unless `execute`; with effect by who maintains the project. `undo` takes it back.',
    complexity: withWork,
  })
  consolidate(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => ConsolidateInput }) input: ConsolidateInput,
  ): Promise<Consolidated> {
    return this.upkeep.consolidate(caller, input);
  }

  @ForMachines('write')
  @Mutation(() => CleanedUp, {
    description:
      'Archives memories that are old or worth little and that nobody uses. A dry run unless `execute`; with effect by who maintains the project. `undo` takes it back.',
    complexity: withWork,
  })
  cleanup(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => CleanupInput }) input: CleanupInput,
  ): Promise<CleanedUp> {
    return this.upkeep.cleanup(caller, input);
  }

  @ForMachines('write')
  @Mutation(() => MergedByHand, {
    description:
      'Merges memories that somebody chose, also of several people: by who maintains what they are shared with.',
    complexity: withWork,
  })
  merge(@CurrentCaller() caller: Caller, @Args('ids', { type: () => [ID] }) ids: string[]): Promise<MergedByHand> {
    return this.upkeep.merge(caller, ids);
  }

  @ForMachines('write')
  @Mutation(() => Undone, {
    description:
      'Takes a merge or a cleanup back, by its `runId`. What people did since stays, and is told as skipped.',
    complexity: withWork,
  })
  undo(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<Undone> {
    return this.upkeep.undo(caller, id);
  }
}
