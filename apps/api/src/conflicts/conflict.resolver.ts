import { Args, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Conflict, ConflictPage, ResolveConflictInput } from './conflict.types.js';
import { ConflictsService } from './conflicts.service.js';

@Resolver(() => Conflict)
export class ConflictResolver {
  constructor(private readonly service: ConflictsService) {}

  @ForMachines('read')
  @Query(() => ConflictPage, {
    description: 'Memories that contradict each other, of which the caller sees both, newest first.',
  })
  conflicts(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('project', { type: () => String, nullable: true }) project?: string,
  ): Promise<ConflictPage> {
    return this.service.page(caller, { first, after }, project ?? null);
  }

  @ForMachines('write')
  @Mutation(() => Conflict, {
    description:
      'Decides a conflict: by who maintains what both memories are shared with, or the owner of two private ones.',
  })
  resolveConflict(@CurrentCaller() caller: Caller, @Args('input') input: ResolveConflictInput): Promise<Conflict> {
    return this.service.resolve(caller, input);
  }
}
