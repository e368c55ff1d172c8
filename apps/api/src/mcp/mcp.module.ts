import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { GraphqlSharedModule } from '../graphql/graphql-frame.module.js';
import { InProcessAsker } from './in-process-asker.js';
import { McpController } from './mcp.controller.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { ProtectedResourceController } from './protected-resource.controller.js';
import { ToolContexts } from './tool-contexts.js';

/** The tools for clients that speak MCP over HTTP. */
@Module({
  imports: [AuthModule, GraphqlSharedModule],
  providers: [InProcessAsker, ToolContexts, McpEndpoint],
  controllers: [McpController, ProtectedResourceController],
})
export class McpModule {}
