import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RetrievalService } from './retrieval.service.js';
import { RetrieveInput } from './retrieve.input.js';
import { RetrieveAnswer } from './retrieve.types.js';

@Resolver(() => RetrieveAnswer)
export class RetrievalResolver {
  constructor(private readonly service: RetrievalService) {}

  @Mutation(() => RetrieveAnswer, { description: 'Searches what the caller may see and records the answer.' })
  retrieve(@CurrentCaller() caller: Caller, @Args('input') input: RetrieveInput): Promise<RetrieveAnswer> {
    return this.service.retrieve(caller, input);
  }
}
