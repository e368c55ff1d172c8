import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ErasureResolver } from './erasure.resolver.js';
import { ErasuresService } from './erasures.service.js';

@Module({ imports: [AuthModule], providers: [ErasuresService, ErasureResolver] })
export class ErasureModule {}
