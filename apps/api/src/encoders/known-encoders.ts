import { Injectable } from '@nestjs/common';
import type { TenantId } from '@tempera/core';
import { areActive, STANDARD_ENCODERS, STANDARD_TENANT, type TenantEncoders } from '@tempera/platform';
import { EncodersMoved } from './encoders-moved.js';

/** A change is made once; who meets a second one while it starts again may be told so. */
const ATTEMPTS = 3;

/**
 * The encoders of each tenant as this process last heard of them, so that a text can be read before its transaction begins.
 * The transaction looks at the database's (see requireActive), and what has become wrong is put right here.
 */
@Injectable()
export class KnownEncoders {
  /** Of those alone that have other than the standard ones. */
  private readonly others = new Map<TenantId, TenantEncoders>();

  of(tenantId: TenantId): TenantEncoders {
    return this.others.get(tenantId) ?? STANDARD_TENANT;
  }

  learn(tenantId: TenantId, encoders: TenantEncoders): void {
    if (encoders.coming === null && areActive(STANDARD_ENCODERS, encoders)) this.others.delete(tenantId);
    else this.others.set(tenantId, encoders);
  }

  /** Does work with the encoders that are known, and again from the beginning where they turn out to be others. */
  async settled<T>(tenantId: TenantId, work: (encoders: TenantEncoders) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(this.of(tenantId));
      } catch (error) {
        if (!(error instanceof EncodersMoved)) throw error;
        this.learn(tenantId, error.encoders);
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }
}
