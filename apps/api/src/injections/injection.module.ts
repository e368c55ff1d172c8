import { Module } from '@nestjs/common';
import { RetrievalModule } from '../retrieval/retrieval.module.js';
import { InjectionResolver } from './injection.resolver.js';
import { PromptInjectionService } from './prompt-injection.service.js';
import { SessionStartService } from './session-start.service.js';

@Module({ imports: [RetrievalModule], providers: [SessionStartService, PromptInjectionService, InjectionResolver] })
export class InjectionModule {}
