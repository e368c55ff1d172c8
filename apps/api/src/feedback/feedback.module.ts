import { Module } from '@nestjs/common';
import { RetrievalModule } from '../retrieval/retrieval.module.js';
import { FeedbackResolver } from './feedback.resolver.js';
import { FeedbackService } from './feedback.service.js';

@Module({ imports: [RetrievalModule], providers: [FeedbackService, FeedbackResolver] })
export class FeedbackModule {}
