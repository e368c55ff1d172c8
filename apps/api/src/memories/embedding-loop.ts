import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { asId, type MemoryId, type TenantId } from '@tempera/core';
import type { Doors, EncoderPool, Logger, OutboxClaim } from '@tempera/platform';
import { DOORS, ENCODERS, LOGGER } from '../platform/platform.tokens.js';
import { EmbeddingJobs } from './embedding-jobs.js';

/** How often the loop looks by itself, for promises of other processes and those put off. */
const IDLE_MS = 1_000;
/** After a failure of the database: an outage should not fill the log. */
const FAILED_MS = 10_000;
/** Rows of one claim: as many as are done within the lease even where each is a long text. */
const BATCH = 4;
/** A row that is not done by then is claimed again, perhaps by another process: what a killed one held waits no longer. */
const LEASE_SECONDS = 45;

/**
 * Keeps the promises of captures: embeds what was too long, or came while no encoder was there. Runs in the API, where the
 * encoders are; any number of processes may run it, each claims rows of its own.
 */
@Injectable()
export class EmbeddingLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWanted = false;
  private isStopped = false;
  private pauseMs = IDLE_MS;

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: EmbeddingJobs,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** Ends after the work at hand; what is left stays promised. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Something may be waiting: look now. */
  wake(): void {
    this.isWanted = true;
    if (this.isStopped || this.running !== undefined) return;
    clearTimeout(this.timer);
    this.running = this.work().finally(() => {
      this.running = undefined;
      if (this.isStopped) return;
      if (this.isWanted && this.pauseMs === IDLE_MS) this.wake();
      else this.timer = setTimeout(() => this.wake(), this.pauseMs).unref();
    });
  }

  private async work(): Promise<void> {
    this.isWanted = false;
    this.pauseMs = IDLE_MS;
    try {
      while (!this.isStopped && (await this.workBatch())) continue;
    } catch (error) {
      this.pauseMs = FAILED_MS;
      this.logger.warn({ err: error }, 'embedding loop: trying again later');
    }
  }

  /** @returns whether there may be more */
  private async workBatch(): Promise<boolean> {
    const statuses = await this.encoders.prepare();
    if (!statuses.some(({ state }) => state === 'ready')) return false;
    const claims = await this.doors.asSystem.claimOutbox(['memory.embed'], BATCH, LEASE_SECONDS);
    for (const claim of claims) await this.keep(claim);
    return claims.length === BATCH;
  }

  private async keep({ tenantId, subjectId, id, attempts }: OutboxClaim): Promise<void> {
    const promise = { id, tenantId: asId<TenantId>(tenantId), memoryId: asId<MemoryId>(subjectId), attempts };
    try {
      await this.jobs.keep(promise);
    } catch (error) {
      this.logger.warn({ err: error, memoryId: subjectId, attempts }, 'a memory could not be embedded');
    }
  }
}
