import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EncoderResolver } from './encoder.resolver.js';
import { EncodersService } from './encoders.service.js';

@Module({ imports: [AuthModule], providers: [EncodersService, EncoderResolver] })
export class EncoderModule {}
