import { Module } from '@nestjs/common';
import { ServiceResolver } from './service.resolver.js';

@Module({ providers: [ServiceResolver] })
export class ServiceModule {}
