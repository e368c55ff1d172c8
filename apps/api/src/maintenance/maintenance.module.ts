import { Module } from '@nestjs/common';
import { MaintenanceResolver } from './maintenance.resolver.js';
import { MaintenanceService } from './maintenance.service.js';
import { PropagationPreviewService } from './propagation-preview.service.js';
import { ScheduleResolver } from './schedule.resolver.js';
import { SchedulesService } from './schedules.service.js';

@Module({
  providers: [MaintenanceService, PropagationPreviewService, MaintenanceResolver, SchedulesService, ScheduleResolver],
})
export class MaintenanceModule {}
