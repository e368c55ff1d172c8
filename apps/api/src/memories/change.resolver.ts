import { Args, ID, Int, Mutation, Resolver } from '@nestjs/graphql';
import type { Verification } from '@tempera/platform';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { perItemAnswered } from '../graphql/limits/cost.js';
import { ChangeService } from './change.service.js';
import { EditMemoryInput } from './edit.input.js';
import { EditService } from './edit.service.js';
import { EditedMemory } from './edit.types.js';
import { VerificationEnum } from './memory.enums.js';
import { Memory } from './memory.types.js';

/** An edit reads the new text as a capture does. */
const EDIT_POINTS = 20;

@Resolver(() => Memory)
export class ChangeResolver {
  constructor(
    private readonly edits: EditService,
    private readonly changes: ChangeService,
  ) {}

  @ForMachines('write')
  @Mutation(() => EditedMemory, {
    description:
      'Changes what a memory says: by its author, or by who maintains what it is shared with. The old text stays in its history. Another revision than the expected one is a CONFLICT that names it.',
    complexity: perItemAnswered(EDIT_POINTS, () => 1),
  })
  editMemory(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
    @Args('expectedRevision', { type: () => Int }) expectedRevision: number,
    @Args('input', { type: () => EditMemoryInput }) input: EditMemoryInput,
  ): Promise<EditedMemory> {
    return this.edits.edit(caller, id, expectedRevision, input);
  }

  @ForMachines('write')
  @Mutation(() => Memory, {
    description: 'Pinned memories come first and do not fade; maintainers pin what is shared.',
  })
  setPinned(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
    @Args('pinned', { type: () => Boolean }) pinned: boolean,
  ): Promise<Memory> {
    return this.changes.setPinned(caller, id, pinned);
  }

  @ForMachines('write')
  @Mutation(() => Memory)
  setVerification(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
    @Args('verification', { type: () => VerificationEnum }) verification: Verification,
  ): Promise<Memory> {
    return this.changes.setVerification(caller, id, verification);
  }

  @ForMachines('write')
  @Mutation(() => Memory, { description: 'Takes a memory out of searches and lists; filter state ARCHIVED shows it.' })
  archiveMemory(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<Memory> {
    return this.changes.archive(caller, id, reason ?? null);
  }

  @ForMachines('write')
  @Mutation(() => Memory, {
    description:
      'Says that a memory is false, by who may change it: it is kept and labelled, and in no answer but to who asks for what was refuted. `by` is the memory that shows it.',
  })
  refuteMemory(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
    @Args('by', { type: () => ID, nullable: true }) by?: string | null,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<Memory> {
    return this.changes.refute(caller, id, by ?? null, reason ?? null);
  }

  @ForMachines('write')
  @Mutation(() => Memory, {
    description: 'Brings back what was archived, refuted, superseded, or forgotten within 30 days.',
  })
  restoreMemory(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<Memory> {
    return this.changes.restore(caller, id);
  }

  @ForMachines('write')
  @Mutation(() => Memory, {
    description: 'Hides a memory from everybody but its author and the caller; it is erased after 30 days.',
  })
  forgetMemory(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<Memory> {
    return this.changes.forget(caller, id);
  }
}
