import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OperatorResolver } from './operator.resolver.js';
import { OperatorsService } from './operators.service.js';

@Module({ imports: [AuthModule], providers: [OperatorsService, OperatorResolver] })
export class OperatorModule {}
