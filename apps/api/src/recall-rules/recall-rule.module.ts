import { Module } from '@nestjs/common';
import { RecallRuleResolver } from './recall-rule.resolver.js';
import { RecallRulesService } from './recall-rules.service.js';

@Module({ providers: [RecallRulesService, RecallRuleResolver] })
export class RecallRuleModule {}
