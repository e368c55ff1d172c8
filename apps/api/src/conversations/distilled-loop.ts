import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  apart,
  beyondSignal,
  completeOutbox,
  type Doors,
  type Logger,
  type OutboxClaim,
  postponeOutbox,
} from '@tempera/platform';
import { DOORS, LOGGER } from '../platform/platform.tokens.js';
import { DistilledFactsService } from './distilled-facts.service.js';

/** Nobody waits for it; an empty look costs one indexed query. */
const IDLE_MS = 2_000;
/** After a failure of the database: an outage should not fill the log. */
const FAILED_MS = 10_000;
const BATCH = 5;
/** A conversation has dozens of facts, of some 20 ms each; what a killed process held is claimed again after it. */
const LEASE_SECONDS = 120;
const MAX_DELAY_SECONDS = 3_600;

/**
 * Keeps what the worker has distilled. It runs in the API, where the encoders are and captures are checked; any number of processes may run
 * it, each claims conversations of its own.
 */
@Injectable()
export class DistilledLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private turning: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly facts: DistilledFactsService,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => this.turn(), IDLE_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.turning;
  }

  private turn(): void {
    this.turning = beyondSignal(() => apart('distilled-loop', () => this.look())).then((pauseMs) => {
      this.turning = undefined;
      if (!this.isStopped) this.timer = setTimeout(() => this.turn(), pauseMs).unref();
    });
  }

  /** @returns how long to wait before the next look */
  private async look(): Promise<number> {
    try {
      const claims = await this.doors.asSystem.claimOutbox(['distilled'], BATCH, LEASE_SECONDS, {
        perTenant: 1,
        except: [],
      });
      for (const claim of claims) if (!this.isStopped) await this.keep(claim);
      return claims.length === BATCH ? 0 : IDLE_MS;
    } catch (error) {
      this.logger.warn({ err: error }, 'distilled facts: trying again later');
      return FAILED_MS;
    }
  }

  private async keep({ tenantId, subjectId, id, attempts }: OutboxClaim): Promise<void> {
    try {
      await this.facts.keep(tenantId, subjectId);
      await this.doors.asText(tenantId, (tx) => completeOutbox(tx, id));
    } catch (error) {
      this.logger.warn({ err: error, conversationId: subjectId, attempts }, 'distilled facts could not be kept');
      const delay = Math.min(MAX_DELAY_SECONDS, 5 * 2 ** Math.min(attempts, 10));
      await this.doors.asText(tenantId, (tx) => postponeOutbox(tx, id, 'not-kept', delay));
    }
  }
}
