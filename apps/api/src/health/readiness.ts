import { Inject, Injectable } from '@nestjs/common';
import { isAppError } from '@tempera/client-kit';
import type { Doors } from '@tempera/platform';
import { DOORS } from '../platform/platform.tokens.js';

/** How long the database may take to answer before the service calls itself not ready. */
const PING_TIMEOUT_MS = 1_000;
/** A database that answered somebody so lately is there, though it had no time for this look. */
const ANSWERED_LATELY_MS = 2_000;

/** What a look is told that did not get its turn in time. */
const NO_TURN = new Set(['database-busy', 'database-unavailable']);

export type ReadinessAnswer = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** Whether requests should come here: the database answers and fits the code, and nobody asked us to stop. */
@Injectable()
export class Readiness {
  private draining = false;
  private checking: Promise<ReadinessAnswer> | undefined;

  constructor(@Inject(DOORS) private readonly doors: Doors) {}

  /** From now on not ready, so that whoever balances load sends nothing new. */
  beginDraining(): void {
    this.draining = true;
  }

  async ask(): Promise<ReadinessAnswer> {
    if (this.draining) return { ready: false, reason: 'shutting down' };
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<ReadinessAnswer>((resolve) => {
      const isAway = (): ReadinessAnswer => this.unlessBusy('the database does not answer');
      timer = setTimeout(() => resolve(isAway()), PING_TIMEOUT_MS);
    });
    try {
      return await Promise.race([this.checkOnce(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A database that does not answer holds a connection for each look; however many ask, there is one. */
  private checkOnce(): Promise<ReadinessAnswer> {
    return (this.checking ??= this.check().finally(() => (this.checking = undefined)));
  }

  private async check(): Promise<ReadinessAnswer> {
    try {
      await this.doors.selfCheck();
      return { ready: true };
    } catch (error) {
      // A newer release has migrated and its own processes are on their way: this one keeps serving until they are there,
      // since a migration leaves what the release before it needs (docs/design.md D4).
      if (isAppError(error) && error.code === 'migrations-ahead') return { ready: true };
      const reason = 'the database is out of reach, or does not fit this version';
      return isAppError(error) && NO_TURN.has(error.code) ? this.unlessBusy(reason) : { ready: false, reason };
    }
  }

  /**
   * Under more requests than it can answer a look waits with them for its turn. A service that called itself not ready then would
   * leave its share to the others, and they would follow.
   */
  private unlessBusy(reason: string): ReadinessAnswer {
    return this.doors.answeredAgoMs() < ANSWERED_LATELY_MS ? { ready: true } : { ready: false, reason };
  }
}
