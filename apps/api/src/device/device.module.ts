import { Module } from '@nestjs/common';
import { SessionModule } from '../auth/session.module.js';
import { TenantModule } from '../tenants/tenant.module.js';
import { WebModule } from '../web/web.module.js';
import { DeviceCodesService } from './device-codes.service.js';
import { DeviceLoginsService } from './device-logins.service.js';
import { DevicePageController } from './device-page.controller.js';
import { DeviceResolver } from './device.resolver.js';
import { OauthController } from './oauth.controller.js';

@Module({
  imports: [SessionModule, TenantModule, WebModule],
  controllers: [OauthController, DevicePageController],
  providers: [DeviceCodesService, DeviceLoginsService, DeviceResolver],
})
export class DeviceModule {}
