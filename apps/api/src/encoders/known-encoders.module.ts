import { Global, Module } from '@nestjs/common';
import { KnownEncoders } from './known-encoders.js';

/** Whoever has texts read asks it. */
@Global()
@Module({ providers: [KnownEncoders], exports: [KnownEncoders] })
export class KnownEncodersModule {}
