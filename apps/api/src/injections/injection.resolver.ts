import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { InjectForPromptInput, PromptInjection, SessionStart, StartSessionInput } from './injection.types.js';
import { PromptInjectionService } from './prompt-injection.service.js';
import { SessionStartService } from './session-start.service.js';

/** A scan of what the caller may see, and a search where a branch or files are named. */
const START_POINTS = 30;
/** As a question. */
const PROMPT_POINTS = 20;

@Resolver(() => SessionStart)
export class InjectionResolver {
  constructor(
    private readonly starts: SessionStartService,
    private readonly prompts: PromptInjectionService,
  ) {}

  @ForMachines('read')
  @Mutation(() => SessionStart, {
    description: 'What is worth knowing at the start of a session, in titles; recorded as injected.',
    complexity: ({ childComplexity }) => START_POINTS + childComplexity,
  })
  startSession(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => StartSessionInput }) input: StartSessionInput,
  ): Promise<SessionStart> {
    return this.starts.start(caller, input);
  }

  @ForMachines('read')
  @Mutation(() => PromptInjection, {
    description: 'The few memories that answer a prompt well, in titles, or none; recorded as injected.',
    complexity: ({ childComplexity }) => PROMPT_POINTS + childComplexity,
  })
  injectForPrompt(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => InjectForPromptInput }) input: InjectForPromptInput,
  ): Promise<PromptInjection> {
    return this.prompts.inject(caller, input);
  }
}
