import { Module } from '@nestjs/common';
import { MemoryModule } from '../memories/memory.module.js';
import { ReviewService } from './review.service.js';
import { UpkeepRunResolver } from './upkeep-run.resolver.js';
import { UpkeepResolver } from './upkeep.resolver.js';
import { UpkeepService } from './upkeep.service.js';

@Module({ imports: [MemoryModule], providers: [ReviewService, UpkeepService, UpkeepResolver, UpkeepRunResolver] })
export class UpkeepModule {}
