import { Module } from '@nestjs/common';
import { MemoryModule } from '../memories/memory.module.js';
import { ImportResolver } from './import.resolver.js';
import { ImportsService } from './imports.service.js';

@Module({ imports: [MemoryModule], providers: [ImportsService, ImportResolver] })
export class ImportModule {}
