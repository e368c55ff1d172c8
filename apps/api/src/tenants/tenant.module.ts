import { Module } from '@nestjs/common';
import { MeResolver } from './me.resolver.js';
import { MeService } from './me.service.js';

@Module({ providers: [MeService, MeResolver], exports: [MeService] })
export class TenantModule {}
