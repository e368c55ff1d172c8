import { Inject } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { type EncoderPool, type EncoderStatus, MAX_TEXT_BYTES } from '@tempera/platform';
import { Public } from '../auth/access.guard.js';
import type { Settings } from '../config/settings.js';
import { VERSION } from '../config/version.js';
import { MAX_PAGE_SIZE } from '../graphql/paging.js';
import { ENCODERS, SETTINGS } from '../platform/platform.tokens.js';
import { Service } from './service.types.js';

@Resolver(() => Service)
export class ServiceResolver {
  constructor(
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Public()
  @Query(() => Service, { description: 'What this service is: versions, encoders and limits. Needs no token.' })
  service(): Service {
    const encoders = this.encoders
      .statuses()
      .map((status) => ({ name: status.name, ready: status.state === 'ready', detail: this.detailOf(status) }));
    return { version: VERSION, encoders, maxTextBytes: MAX_TEXT_BYTES, maxPageSize: MAX_PAGE_SIZE };
  }
  /** Why an encoder is not there can name files of the server; in production that is for the log, not for everybody. */
  private detailOf({ state, reason }: EncoderStatus): string {
    return this.settings.profile === 'local' ? (reason ?? state) : state;
  }
}
