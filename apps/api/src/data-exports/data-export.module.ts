import { Module } from '@nestjs/common';
import { DataExportResolver } from './data-export.resolver.js';
import { DataExportsService } from './data-exports.service.js';

@Module({ providers: [DataExportsService, DataExportResolver] })
export class DataExportModule {}
