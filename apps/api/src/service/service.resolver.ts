import { Inject } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import type { EncoderPool } from '@tempera/platform';
import { Public } from '../auth/access.guard.js';
import { VERSION } from '../config/version.js';
import { MAX_PAGE_SIZE } from '../graphql/paging.js';
import { ENCODERS } from '../platform/platform.tokens.js';
import { Service } from './service.types.js';

/** Bytes of one memory's text in UTF-8. */
const MAX_TEXT_BYTES = 65_536;

@Resolver(() => Service)
export class ServiceResolver {
  constructor(@Inject(ENCODERS) private readonly encoders: EncoderPool) {}

  @Public()
  @Query(() => Service, { description: 'What this service is: versions, encoders and limits. Needs no token.' })
  service(): Service {
    const encoders = this.encoders
      .statuses()
      .map(({ name, state, reason }) => ({ name, ready: state === 'ready', detail: reason ?? state }));
    return { version: VERSION, encoders, maxTextBytes: MAX_TEXT_BYTES, maxPageSize: MAX_PAGE_SIZE };
  }
}
