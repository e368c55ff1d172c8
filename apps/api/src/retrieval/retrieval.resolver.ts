import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MAX_LIMIT } from './parse-retrieve.js';
import { RetrievalService } from './retrieval.service.js';
import { RetrieveInput } from './retrieve.input.js';
import { RetrieveAnswer } from './retrieve.types.js';

/** A search embeds the question and scans what the caller may see. */
const RETRIEVE_POINTS = 20;

/** Without a limit the settings decide, up to the most. */
const hitsOf = ({ limit }: RetrieveInput): number => Math.min(Math.max(limit ?? MAX_LIMIT, 1), MAX_LIMIT);

@Resolver(() => RetrieveAnswer)
export class RetrievalResolver {
  constructor(private readonly service: RetrievalService) {}

  @ForMachines('read')
  @Mutation(() => RetrieveAnswer, {
    description: 'Searches what the caller may see and records the answer.',
    complexity: ({ args, childComplexity }) => RETRIEVE_POINTS + hitsOf(args['input']) * (1 + childComplexity),
  })
  retrieve(@CurrentCaller() caller: Caller, @Args('input') input: RetrieveInput): Promise<RetrieveAnswer> {
    return this.service.retrieve(caller, input);
  }
}
