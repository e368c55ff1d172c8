import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { asId, type MemoryId, type TenantId } from '@tempera/core';
import { apart, beyondSignal, type Doors, type EncoderPool, type Logger, type OutboxClaim } from '@tempera/platform';
import { DOORS, ENCODERS, LOGGER } from '../platform/platform.tokens.js';
import { EmbeddingJobs } from './embedding-jobs.js';
import { ReembedJobs } from './reembed-jobs.js';

/** How often the loop looks by itself, for promises of other processes and those put off. */
const IDLE_MS = 1_000;
/** After a failure of the database: an outage should not fill the log. */
const FAILED_MS = 10_000;
/** Texts that are read at once, in turns; more would only hold their rows for longer. */
const IN_FLIGHT = 8;
/** Those of one tenant: two keep the encoders busy while the database stores one. */
const PER_TENANT = 2;
/** Of the texts at once, those that a change of encoder wants read. */
const BACKLOG_IN_FLIGHT = 4;
/** A row that is neither done nor renewed by then is claimed again: what a killed process held waits no longer. */
const LEASE_SECONDS = 45;
const RENEW_MS = 15_000;

/**
 * Keeps the promises of captures: embeds what was too long, or came while no encoder was there. Runs in the API, where the
 * encoders are; any number of processes may run it, each claims rows of its own.
 */
@Injectable()
export class EmbeddingLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private claiming: Promise<void> | undefined;
  /** The work under way, with its tenant. */
  private readonly inFlight = new Map<Promise<void>, string>();
  /** Tenants of which a text is read for a change of encoder. */
  private readonly backlog = new Set<string>();
  private readonly stop = new AbortController();
  private isWanted = false;
  private pauseMs = IDLE_MS;

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: EmbeddingJobs,
    private readonly reembedJobs: ReembedJobs,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** Gives up what is being read, after the unit at hand; it stays promised. */
  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    clearTimeout(this.timer);
    await this.claiming;
    await Promise.all(this.inFlight.keys());
  }

  /** Something may be waiting: look now. */
  wake(): void {
    this.isWanted = true;
    if (this.isStopped || this.claiming !== undefined) return;
    clearTimeout(this.timer);
    // The request that woke it may end before it is done.
    this.claiming = beyondSignal(() => apart('embedding-loop', () => this.claim())).finally(() => {
      this.claiming = undefined;
      if (this.isStopped) return;
      if (this.isWanted && this.pauseMs === IDLE_MS) this.wake();
      else this.timer = setTimeout(() => this.wake(), this.pauseMs).unref();
    });
  }

  private get isStopped(): boolean {
    return this.stop.signal.aborted;
  }

  /** Takes as much as there is room for; whatever gets done makes room and looks again. */
  private async claim(): Promise<void> {
    this.isWanted = false;
    this.pauseMs = IDLE_MS;
    try {
      const room = IN_FLIGHT - this.inFlight.size;
      if (room === 0 || !(await this.isAnyReady())) return;
      const share = { perTenant: PER_TENANT, except: this.busyTenants() };
      const claims = await this.doors.asSystem.claimOutbox(['memory.embed'], room, LEASE_SECONDS, share);
      for (const claim of claims) this.begin(claim);
      await this.claimBacklog(room - claims.length);
    } catch (error) {
      this.pauseMs = FAILED_MS;
      this.logger.warn({ err: error }, 'embedding loop: trying again later');
    }
  }

  /** What a change of encoder wants read comes after all captures, one text of a tenant at a time. */
  private async claimBacklog(room: number): Promise<void> {
    const left = Math.min(room, BACKLOG_IN_FLIGHT - this.backlog.size);
    if (left <= 0) return;
    const share = { perTenant: 1, except: [...this.backlog] };
    const kinds = ['memory.reembed', 'question.reembed'] as const;
    for (const claim of await this.doors.asSystem.claimOutbox(kinds, left, LEASE_SECONDS, share)) {
      this.backlog.add(claim.tenantId);
      this.begin(claim);
    }
  }

  private async isAnyReady(): Promise<boolean> {
    return (await this.encoders.prepare()).some(({ state }) => state === 'ready');
  }

  private busyTenants(): string[] {
    const all = [...this.inFlight.values()];
    return [...new Set(all)].filter((tenant) => all.filter((other) => other === tenant).length >= PER_TENANT);
  }

  private begin(claim: OutboxClaim): void {
    const work = this.keep(claim).finally(() => {
      this.inFlight.delete(work);
      if (claim.kind !== 'memory.embed') this.backlog.delete(claim.tenantId);
      // Not after a failure of the database, which would make this loop turn without a pause.
      if (this.pauseMs === IDLE_MS) this.wake();
    });
    this.inFlight.set(work, claim.tenantId);
  }

  private async keep(claim: OutboxClaim): Promise<void> {
    const { tenantId, subjectId, id, attempts } = claim;
    const promise = { id, tenantId: asId<TenantId>(tenantId), memoryId: asId<MemoryId>(subjectId), attempts };
    const failed = (error: unknown): void =>
      this.logger.warn({ err: error, memoryId: subjectId, attempts }, 'a text could not be embedded');
    const renewal = setInterval(() => void this.jobs.renew(promise, LEASE_SECONDS).catch(failed), RENEW_MS);
    try {
      if (claim.kind === 'memory.embed') await this.jobs.keep(promise, this.stop.signal);
      else await this.reembedJobs.keep(claim, this.stop.signal);
    } catch (error) {
      failed(error);
    } finally {
      clearInterval(renewal);
    }
  }
}
