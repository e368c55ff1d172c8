import { Module } from '@nestjs/common';
import { TenantModule } from '../tenants/tenant.module.js';
import { AuthModule } from './auth.module.js';
import { RefreshFamily } from './refresh-family.js';
import { SessionMaker } from './session-maker.js';
import { SessionResolver } from './session.resolver.js';
import { SessionsService } from './sessions.service.js';

/** The operations of logging in and out; the check of each request is in AuthModule. */
@Module({
  imports: [AuthModule, TenantModule],
  providers: [RefreshFamily, SessionMaker, SessionsService, SessionResolver],
  exports: [SessionMaker, SessionsService],
})
export class SessionModule {}
