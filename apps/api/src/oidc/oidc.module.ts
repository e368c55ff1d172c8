import { Module } from '@nestjs/common';
import { WebModule } from '../web/web.module.js';
import { OidcClient } from './oidc-client.js';
import { OidcFlowsService } from './oidc-flows.service.js';
import { OidcController } from './oidc.controller.js';

@Module({ imports: [WebModule], controllers: [OidcController], providers: [OidcClient, OidcFlowsService] })
export class OidcModule {}
