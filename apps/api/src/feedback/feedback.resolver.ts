import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { perItem } from '../graphql/limits/cost.js';
import { FeedbackService } from './feedback.service.js';
import { FeedbackAnswer, FeedbackInput } from './feedback.types.js';

@Resolver(() => FeedbackAnswer)
export class FeedbackResolver {
  constructor(private readonly service: FeedbackService) {}

  @ForMachines('write')
  @Mutation(() => FeedbackAnswer, {
    description: 'Votes on memories that were shown to the caller.',
    complexity: perItem(2, ({ input }) => (input as FeedbackInput).memoryIds),
  })
  feedback(@CurrentCaller() caller: Caller, @Args('input') input: FeedbackInput): Promise<FeedbackAnswer> {
    return this.service.vote(caller, input);
  }
}
