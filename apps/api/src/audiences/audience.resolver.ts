import { Inject } from '@nestjs/common';
import { Args, Field, ID, Mutation, ObjectType, Resolver } from '@nestjs/graphql';
import type { MemoryRecord } from '@tempera/platform';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { toMemory } from '../memories/memory.mapper.js';
import { Memory } from '../memories/memory.types.js';
import { type Clock, CLOCK } from '../platform/platform.tokens.js';
import { toProposal } from '../proposals/proposal.mapper.js';
import { Proposal } from '../proposals/proposal.types.js';
import { AudienceInput } from './audience.types.js';
import { AudiencesService } from './audiences.service.js';

@ObjectType({ description: 'A memory after it was shared; unchanged where that could only be proposed.' })
export class SharedMemory {
  @Field(() => Memory)
  memory!: Memory;

  @Field(() => Proposal, { nullable: true, description: 'Waits for those who decide there.' })
  proposal!: Proposal | null;
}

@Resolver(() => SharedMemory)
export class AudienceResolver {
  constructor(
    private readonly service: AudiencesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @ForMachines('write')
  @Mutation(() => SharedMemory, {
    description:
      'Shows a memory of the caller to more people. Where the caller may not, it is proposed to those who may.',
  })
  async shareMemory(@CurrentCaller() caller: Caller, @Args('input') input: AudienceInput): Promise<SharedMemory> {
    const { record, proposal } = await this.service.share(caller, input);
    return { memory: this.show(caller, record), proposal: proposal === null ? null : toProposal(proposal) };
  }

  @ForMachines('write')
  @Mutation(() => Memory, { description: 'Shows a memory of the caller to fewer people, or to nobody else.' })
  async demoteMemory(@CurrentCaller() caller: Caller, @Args('input') input: AudienceInput): Promise<Memory> {
    return this.show(caller, await this.service.demote(caller, input));
  }

  @ForMachines('write')
  @Mutation(() => Memory, {
    description:
      'Gives a shared memory to someone who could have captured it there (its owner; an admin who sees it, once its owner was removed).',
  })
  async transferMemory(
    @CurrentCaller() caller: Caller,
    @Args('memoryId', { type: () => ID }) memoryId: string,
    @Args('userId', { type: () => ID }) userId: string,
  ): Promise<Memory> {
    return this.show(caller, await this.service.transfer(caller, memoryId, userId));
  }

  @ForMachines('write')
  @Mutation(() => Memory, { description: "Takes the latest change of a memory's audience back (its owner)." })
  async undoAudienceChange(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<Memory> {
    return this.show(caller, await this.service.undo(caller, id));
  }

  private show(caller: Caller, record: MemoryRecord): Memory {
    return toMemory(record, caller.userId, this.clock.now());
  }
}
