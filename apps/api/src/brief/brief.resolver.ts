import { Args, Query, Resolver } from '@nestjs/graphql';
import { BRIEF_PARTS } from '@tempera/core';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { BriefInput } from './brief.input.js';
import { BriefService } from './brief.service.js';
import { Brief } from './brief.types.js';
import { MAX_BRIEF_LIMIT } from './parse-brief.js';

/** A search embeds the task and scans what the caller may see, and two more scans find files and errors. */
const BRIEF_POINTS = 30;

const itemsOf = ({ limit }: BriefInput): number => BRIEF_PARTS.length * Math.min(Math.max(limit, 1), MAX_BRIEF_LIMIT);

@Resolver(() => Brief)
export class BriefResolver {
  constructor(private readonly service: BriefService) {}

  @ForMachines('read')
  @Query(() => Brief, {
    description:
      'What is worth knowing before a task: corrections, questions, decisions, the same errors, open todos, alternatives. Recorded.',
    complexity: ({ args, childComplexity }) => BRIEF_POINTS + itemsOf(args['input']) * (1 + childComplexity),
  })
  brief(@CurrentCaller() caller: Caller, @Args('input') input: BriefInput): Promise<Brief> {
    return this.service.brief(caller, input);
  }
}
