import { Module } from '@nestjs/common';
import { RetrievalModule } from '../retrieval/retrieval.module.js';
import { BriefResolver } from './brief.resolver.js';
import { BriefService } from './brief.service.js';

@Module({ imports: [RetrievalModule], providers: [BriefService, BriefResolver] })
export class BriefModule {}
