import { Module } from '@nestjs/common';
import { MeResolver } from './me.resolver.js';
import { MeService } from './me.service.js';
import { TenantResolver } from './tenant.resolver.js';
import { TenantsService } from './tenants.service.js';

@Module({ providers: [MeService, MeResolver, TenantsService, TenantResolver], exports: [MeService] })
export class TenantModule {}
