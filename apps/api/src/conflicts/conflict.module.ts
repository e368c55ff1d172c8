import { Module } from '@nestjs/common';
import { MemoryModule } from '../memories/memory.module.js';
import { ConflictResolver } from './conflict.resolver.js';
import { ConflictsService } from './conflicts.service.js';

@Module({ imports: [MemoryModule], providers: [ConflictsService, ConflictResolver] })
export class ConflictModule {}
