import { Module } from '@nestjs/common';
import { StatusResolver } from './status.resolver.js';
import { StatusService } from './status.service.js';

@Module({ providers: [StatusService, StatusResolver] })
export class StatusModule {}
