import { Module } from '@nestjs/common';
import { MaintenanceResolver } from './maintenance.resolver.js';
import { MaintenanceService } from './maintenance.service.js';

@Module({ providers: [MaintenanceService, MaintenanceResolver] })
export class MaintenanceModule {}
