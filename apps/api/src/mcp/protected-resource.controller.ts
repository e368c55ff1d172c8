import { Controller, Get, Header, Inject } from '@nestjs/common';
import { mcpAudience } from '@tempera/platform';
import { Public } from '../auth/access.guard.js';
import type { Settings } from '../config/settings.js';
import { SETTINGS } from '../platform/platform.tokens.js';
import { METADATA_PATH } from './mcp.controller.js';

/** What RFC 9728 has a protected resource say of itself. */
interface ProtectedResource {
  readonly resource: string;
  readonly resource_name: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
}

/** Tells clients for which resource a token has to be, and who issues one. */
@Public()
@Controller()
export class ProtectedResourceController {
  private readonly document: ProtectedResource;

  constructor(@Inject(SETTINGS) { publicUrl }: Settings) {
    this.document = {
      resource: mcpAudience(publicUrl),
      resource_name: 'Tempera team memory',
      authorization_servers: [publicUrl],
      bearer_methods_supported: ['header'],
    };
  }

  @Get([METADATA_PATH, `${METADATA_PATH}/mcp`])
  @Header('cache-control', 'public, max-age=300')
  describe(): ProtectedResource {
    return this.document;
  }
}
