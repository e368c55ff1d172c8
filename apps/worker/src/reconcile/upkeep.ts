import { settleDeparture } from '@tempera/platform';
import type { ReconcileTools } from './deliver-outbox.js';

/** Rows of one transaction, well below the statement timeout. */
const SETTLE_ROWS = 500;
const EXPIRED_ROWS = 500;
const STOPPED_RUNS = 100;
/** Batches of one leaver before others, and the outbox, have their turn. */
const BATCHES = 20;

/** Who this process is in the instance's health. */
export interface ProcessIdentity {
  readonly processId: string;
  readonly version: string;
  readonly startedAt: Date;
}

/**
 * What must go on though nobody asks: signs of life, runs that somebody cancelled or whose tenant closed, schedules of tenants that closed,
 * leavers' memories, and decisions that come back when what took their place expires. Each starts from what the database says, so it goes on after any interruption.
 */
export class Upkeep {
  /** Since when each tenant was closed whose schedule this process has taken away; opened and closed again, it counts anew. */
  private closed = new Map<string, number>();

  constructor(
    private readonly tools: ReconcileTools,
    private readonly identity: ProcessIdentity,
  ) {}

  /** One round. @throws what the database or the engine does, for the loop to wait and come again */
  async round(signal: AbortSignal): Promise<void> {
    const { asSystem } = this.tools.doors;
    const engineAnswers = await this.tools.schedules.doesAnswer();
    await asSystem.beat({ program: 'worker', ...this.identity, engineAnswers });
    await this.stopRuns();
    const closed = await asSystem.listClosedTenants();
    const stillClosed = new Set(closed.map(({ tenantId }) => tenantId));
    this.closed = new Map([...this.closed].filter(([tenantId]) => stillClosed.has(tenantId)));
    for (const { tenantId, since } of closed) {
      if (signal.aborted) return;
      await this.tryFor(tenantId, () => this.withoutSchedule(tenantId, since.getTime()));
    }
    for (const { tenantId, userId } of await asSystem.listDepartures()) {
      await this.tryFor(tenantId, () => this.settle(tenantId, userId, signal));
    }
    await asSystem.releaseExpired(EXPIRED_ROWS);
  }

  /** Their pages write nothing any more; here the engine hears that nobody need try. */
  private async stopRuns(): Promise<void> {
    const { asSystem } = this.tools.doors;
    for (const { tenantId, runId, workflowId } of await asSystem.listStoppedRuns(STOPPED_RUNS)) {
      await this.tryFor(tenantId, async () => {
        if (workflowId !== null) await this.tools.nights.stop(workflowId);
        await asSystem.noteStoppedRun({ tenantId, runId });
      });
    }
  }

  /** What fails for one tenant comes again in the next round, and keeps no other waiting. */
  private async tryFor(tenantId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.tools.logger.warn({ err: error, tenantId }, 'upkeep of a tenant failed; trying again');
    }
  }

  private async withoutSchedule(tenantId: string, since: number): Promise<void> {
    if (this.closed.get(tenantId) === since) return;
    await this.tools.schedules.remove(tenantId);
    this.closed.set(tenantId, since);
  }

  private async settle(tenantId: string, userId: string, signal: AbortSignal): Promise<void> {
    for (let batch = 0; batch < BATCHES && !signal.aborted; batch += 1) {
      const finished = await this.tools.doors.asWorker(tenantId, (tx) => settleDeparture(tx, userId, SETTLE_ROWS));
      if (finished) return;
    }
  }
}
