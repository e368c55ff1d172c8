import { Module } from '@nestjs/common';
import { MemoryModule } from '../memories/memory.module.js';
import { ConversationResolver } from './conversation.resolver.js';
import { ConversationsService } from './conversations.service.js';
import { DistilledFactsService } from './distilled-facts.service.js';
import { DistilledLoop } from './distilled-loop.js';

@Module({
  imports: [MemoryModule],
  providers: [ConversationsService, ConversationResolver, DistilledFactsService, DistilledLoop],
})
export class ConversationModule {}
