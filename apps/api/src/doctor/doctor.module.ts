import { Module } from '@nestjs/common';
import { DoctorResolver } from './doctor.resolver.js';
import { InstanceDoctorResolver } from './instance-doctor.resolver.js';
import { InstanceDoctorService } from './instance-doctor.service.js';
import { TenantDoctorService } from './tenant-doctor.service.js';

@Module({ providers: [DoctorResolver, InstanceDoctorResolver, InstanceDoctorService, TenantDoctorService] })
export class DoctorModule {}
