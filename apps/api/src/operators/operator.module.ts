import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { InstanceHealthResolver } from './instance-health.resolver.js';
import { InstanceHealthService } from './instance-health.service.js';
import { OperatorLogResolver } from './operator-log.resolver.js';
import { OperatorLogService } from './operator-log.service.js';
import { OperatorResolver } from './operator.resolver.js';
import { OperatorStaffResolver } from './operator-staff.resolver.js';
import { OperatorStaffService } from './operator-staff.service.js';
import { OperatorsService } from './operators.service.js';
import { TenanciesService } from './tenancies.service.js';
import { TenancyResolver } from './tenancy.resolver.js';

@Module({
  imports: [AuthModule],
  providers: [
    OperatorsService,
    OperatorResolver,
    OperatorStaffService,
    OperatorStaffResolver,
    TenanciesService,
    TenancyResolver,
    InstanceHealthService,
    InstanceHealthResolver,
    OperatorLogService,
    OperatorLogResolver,
  ],
})
export class OperatorModule {}
