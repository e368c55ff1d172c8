import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines, PeopleOnly } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { EraseUserInput, Erasure, ErasurePage } from './erasure.types.js';
import { ErasuresService } from './erasures.service.js';

@Resolver(() => Erasure)
export class ErasureResolver {
  constructor(private readonly service: ErasuresService) {}

  @PeopleOnly()
  @Mutation(() => Erasure, {
    description:
      'Erases a person with all that is theirs alone (owner, admin; everyone themself). They are out at once; the worker erases, searches for what is left and completes the receipt. Asked again it is the same erasure.',
  })
  eraseUser(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => EraseUserInput }) input: EraseUserInput,
  ): Promise<Erasure> {
    return this.service.request(caller, input);
  }

  @ForMachines('admin')
  @Query(() => Erasure, { description: 'An erasure, or its receipt (owner, admin).' })
  erasure(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<Erasure> {
    return this.service.byId(caller, id);
  }

  @ForMachines('admin')
  @Query(() => ErasurePage, { description: 'Erasures and their receipts, latest first (owner, admin).' })
  erasures(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<ErasurePage> {
    return this.service.page(caller, { first, after });
  }
}
