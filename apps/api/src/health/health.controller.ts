import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { type KeyRing, publicJwks } from '@tempera/platform';
import type { Response } from 'express';
import { Public } from '../auth/access.guard.js';
import { KEYS } from '../platform/platform.tokens.js';
import { Readiness } from './readiness.js';

/** What machines ask of the service itself. The workflow engine is not part of being ready: captures do without it. */
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    @Inject(KEYS) private readonly keys: KeyRing,
  ) {}

  @Get('livez')
  @Header('cache-control', 'no-store')
  live(): { readonly status: string } {
    return { status: 'alive' };
  }

  @Get('readyz')
  @Header('cache-control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<{ readonly status: string }> {
    const answer = await this.readiness.ask();
    if (answer.ready) return { status: 'ready' };
    response.status(503).setHeader('retry-after', '5');
    return { status: answer.reason };
  }

  @Get('.well-known/jwks.json')
  @Header('cache-control', 'public, max-age=300')
  jwks(): ReturnType<typeof publicJwks> {
    return publicJwks(this.keys.set);
  }
}
