import { Module } from '@nestjs/common';
import { QuestionReader } from './question-reader.js';
import { RetrievalResolver } from './retrieval.resolver.js';
import { RetrievalService } from './retrieval.service.js';

@Module({ providers: [QuestionReader, RetrievalService, RetrievalResolver], exports: [QuestionReader] })
export class RetrievalModule {}
