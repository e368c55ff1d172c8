import { Module } from '@nestjs/common';
import { TurnResolver } from './turn.resolver.js';
import { TurnsService } from './turns.service.js';

@Module({ providers: [TurnsService, TurnResolver] })
export class TurnModule {}
