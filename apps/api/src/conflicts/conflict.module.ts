import { Module } from '@nestjs/common';
import { ConflictResolver } from './conflict.resolver.js';
import { ConflictsService } from './conflicts.service.js';

@Module({ providers: [ConflictsService, ConflictResolver] })
export class ConflictModule {}
