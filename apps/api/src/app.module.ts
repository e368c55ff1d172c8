import { type DynamicModule, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { SessionModule } from './auth/session.module.js';
import { DoctorModule } from './doctor/doctor.module.js';
import { DeviceModule } from './device/device.module.js';
import { EncoderModule } from './encoders/encoder.module.js';
import { KnownEncodersModule } from './encoders/known-encoders.module.js';
import { ErasureModule } from './erasures/erasure.module.js';
import { DataExportModule } from './data-exports/data-export.module.js';
import { GraphqlFrameModule, GraphqlSharedModule } from './graphql/graphql-frame.module.js';
import { AudienceModule } from './audiences/audience.module.js';
import { BriefModule } from './brief/brief.module.js';
import { ProfileModule } from './profiles/profile.module.js';
import { FeedbackModule } from './feedback/feedback.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { GroupModule } from './groups/group.module.js';
import { HealthModule } from './health/health.module.js';
import { ImportModule } from './imports/import.module.js';
import { MaintenanceModule } from './maintenance/maintenance.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MemoryModule } from './memories/memory.module.js';
import { LoginIdentityModule } from './identities/login-identity.module.js';
import { InvitationModule } from './invitations/invitation.module.js';
import { OperatorModule } from './operators/operator.module.js';
import { type AppDependencies, PlatformModule } from './platform/platform.module.js';
import { ProjectModule } from './projects/project.module.js';
import { ConflictModule } from './conflicts/conflict.module.js';
import { ProposalModule } from './proposals/proposal.module.js';
import { RecallRuleModule } from './recall-rules/recall-rule.module.js';
import { RetrievalModule } from './retrieval/retrieval.module.js';
import { ServiceModule } from './service/service.module.js';
import { LoginSessionModule } from './sessions/login-session.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { SettingModule } from './settings/setting.module.js';
import { StatsModule } from './stats/stats.module.js';
import { StatusModule } from './status/status.module.js';
import { OperationInterceptor } from './telemetry/operation.interceptor.js';
import { TenantModule } from './tenants/tenant.module.js';
import { TokenModule } from './tokens/token.module.js';
import { InjectionModule } from './injections/injection.module.js';
import { TurnModule } from './turns/turn.module.js';
import { ConversationModule } from './conversations/conversation.module.js';
import { UpkeepModule } from './upkeep/upkeep.module.js';
import { UsageModule } from './usage/usage.module.js';
import { UserModule } from './users/user.module.js';

/** The modules of the nouns, one line each. */
export const NOUNS = [
  ServiceModule,
  SessionModule,
  LoginSessionModule,
  DeviceModule,
  LoginIdentityModule,
  InvitationModule,
  TenantModule,
  UserModule,
  ProjectModule,
  TokenModule,
  OperatorModule,
  DoctorModule,
  MaintenanceModule,
  MemoryModule,
  RetrievalModule,
  GroupModule,
  AudienceModule,
  ConflictModule,
  ProposalModule,
  BriefModule,
  ProfileModule,
  FeedbackModule,
  StatusModule,
  StatsModule,
  UpkeepModule,
  UsageModule,
  SettingModule,
  RecallRuleModule,
  AuditModule,
  DataExportModule,
  ErasureModule,
  EncoderModule,
  ImportModule,
  TurnModule,
  InjectionModule,
  ConversationModule,
];

@Module({})
export class AppModule {
  static register(dependencies: AppDependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.register(dependencies),
        // Requests are logged before Nest sees them (http/request-log); this gives Nest's own lines the same logger.
        LoggerModule.forRoot({ pinoHttp: { logger: dependencies.logger }, useExisting: true }),
        LimitsModule,
        KnownEncodersModule,
        AuthModule,
        GraphqlSharedModule,
        GraphqlFrameModule,
        HealthModule,
        McpModule,
        SignInModule,
        OidcModule,
        ...NOUNS,
      ],
      providers: [{ provide: APP_INTERCEPTOR, useClass: OperationInterceptor }],
    };
  }
}
