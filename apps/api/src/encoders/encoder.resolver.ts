import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { ChangeEncoderInput, EncoderChange, EncoderFigures, Encoders } from './encoder.types.js';
import { EncodersService } from './encoders.service.js';

@Resolver(() => Encoders)
export class EncoderResolver {
  constructor(private readonly service: EncodersService) {}

  @ForMachines('admin')
  @Query(() => Encoders, {
    description: 'Encoders that there are, and changes of those of your tenant (owner, admin).',
  })
  encoders(@CurrentCaller() caller: Caller): Promise<Encoders> {
    return this.service.show(caller);
  }

  @ForMachines('admin')
  @Query(() => EncoderFigures, { description: 'What a change to this encoder would read (owner, admin).' })
  previewEncoderChange(
    @CurrentCaller() caller: Caller,
    @Args('encoder', { type: () => String }) encoder: string,
  ): Promise<EncoderFigures> {
    return this.service.preview(caller, encoder);
  }

  @ForMachines('admin')
  @Mutation(() => EncoderChange, {
    description:
      'Changes the encoder of your tenant that is of the same model (owner, admin): everything is read anew beside the old vectors, searches go on by those, and all at once the new ones count. CONFLICT while another change is under way.',
  })
  changeEncoder(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => ChangeEncoderInput }) input: ChangeEncoderInput,
  ): Promise<EncoderChange> {
    return this.service.start(caller, input);
  }

  @ForMachines('admin')
  @Mutation(() => EncoderChange, {
    description: 'Ends a change before its switch (owner, admin): the old vectors were never touched, the new ones go.',
  })
  cancelEncoderChange(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<EncoderChange> {
    return this.service.cancel(caller, id);
  }
}
