import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Conversation, ConversationPage } from './conversation.types.js';
import { ConversationsService } from './conversations.service.js';

/** The worker reads all of it. */
const DISTIL_COST = 50;

@Resolver(() => Conversation)
export class ConversationResolver {
  constructor(private readonly service: ConversationsService) {}

  @ForMachines('read')
  @Query(() => ConversationPage, {
    description: "The caller's conversations with clients, the latest first, and what was learned in them.",
  })
  conversations(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<ConversationPage> {
    return this.service.page(caller, { first, after });
  }

  @ForMachines('write')
  @Mutation(() => Conversation, {
    description:
      "Has one of the caller's conversations distilled at once, not only when it has been quiet for a while; it answers as it stands.",
    complexity: DISTIL_COST,
  })
  distilNow(
    @CurrentCaller() caller: Caller,
    @Args('conversation', { type: () => ID }) conversation: string,
  ): Promise<Conversation> {
    return this.service.distilNow(caller, conversation);
  }
}
