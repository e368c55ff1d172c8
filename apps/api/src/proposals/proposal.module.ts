import { Module } from '@nestjs/common';
import { MemoryModule } from '../memories/memory.module.js';
import { ProposalResolver } from './proposal.resolver.js';
import { ProposalsService } from './proposals.service.js';

@Module({ imports: [MemoryModule], providers: [ProposalsService, ProposalResolver] })
export class ProposalModule {}
