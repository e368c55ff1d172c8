import { Module } from '@nestjs/common';
import { ProjectModule } from '../projects/project.module.js';
import { UserModule } from '../users/user.module.js';
import { QuotaResolver } from './quota.resolver.js';
import { QuotaService } from './quota.service.js';
import { ProjectUsageResolver, UsageResolver, UserUsageResolver } from './usage.resolver.js';
import { UsageService } from './usage.service.js';

/** What a tenant may keep and do, and what it keeps and does. */
@Module({
  imports: [ProjectModule, UserModule],
  providers: [UsageService, UsageResolver, UserUsageResolver, ProjectUsageResolver, QuotaService, QuotaResolver],
})
export class UsageModule {}
