import { AppError } from '@tempera/client-kit';

/** A tenant has a share of the places with those that were here lately, and with one that may come. */
const LATELY_MS = 5_000;
const FORGET_EVERY_MS = 1_000;
/** Below that a tenant could not ask while it stores. */
const LEAST_SHARE = 2;
/** Of a tenant's places at most so many, and never all, are for requests that take seconds, such as a hundred captures in one. */
const LONG_PLACES = 2;
/** Who would wait longer is told to come back; a request has ten seconds in all. */
const PATIENCE_MS = 5_000;
/** A request's mean time, of the latest twenty or so. */
const MEMORY_OF_TIMES = 20;

/** Who asks, and whether it may take long. */
export interface Asking {
  readonly tenantId: string;
  readonly userId: string;
  readonly isLong: boolean;
}

interface Waiting extends Asking {
  readonly begin: () => void;
}

/** What a tenant has at work. */
interface Share {
  waiting: number;
  running: number;
  runningLong: number;
  readonly byUser: Map<string, number>;
  lastAtMs: number;
}

/**
 * Gives requests their turn before their work begins. The tenant that has least at work goes first, in it the person who has least, and
 * of those whoever came first; and no tenant takes places that another may want in a moment. So what one asks in haste makes itself wait, and
 * what would not be answered in time is refused before it costs anything (docs/design.md G4, D2).
 */
export class FairTurns {
  private readonly shares = new Map<string, Share>();
  private readonly waiting: Waiting[] = [];
  private running = 0;
  private forgotAtMs = 0;
  private meanMs = 50;

  /** @param places requests that are worked on at once, of all tenants */
  constructor(
    private readonly nowMs: () => number,
    private readonly places: number,
  ) {}

  /** Requests that wait for their turn. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /**
   * Waits for a turn.
   * @param signal says that nobody waits for the answer any more
   * @returns ends the turn, once
   * @throws AppError `unavailable` for what would wait too long
   */
  async take(asking: Asking, signal?: AbortSignal): Promise<() => void> {
    this.shareOf(asking.tenantId).lastAtMs = this.nowMs();
    if (this.mayBegin(asking)) return this.begin(asking);
    if (this.wouldWaitMs(asking) > PATIENCE_MS) throw busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        this.shareOf(asking.tenantId).waiting -= 1;
      };
      const begin = (): void => {
        leave();
        resolve(this.begin(asking));
      };
      const giveUp = (): void => {
        leave();
        reject(busy());
      };
      const waiting: Waiting = { ...asking, begin };
      const timer = setTimeout(giveUp, PATIENCE_MS);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiting);
      this.shareOf(asking.tenantId).waiting += 1;
    });
  }

  private begin({ tenantId, userId, isLong }: Asking): () => void {
    const share = this.shareOf(tenantId);
    this.running += 1;
    share.running += 1;
    if (isLong) share.runningLong += 1;
    share.byUser.set(userId, (share.byUser.get(userId) ?? 0) + 1);
    const beganMs = this.nowMs();
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      this.running -= 1;
      share.running -= 1;
      if (isLong) share.runningLong -= 1;
      const left = (share.byUser.get(userId) ?? 1) - 1;
      if (left > 0) share.byUser.set(userId, left);
      else share.byUser.delete(userId);
      share.lastAtMs = this.nowMs();
      if (!isLong) this.meanMs += (this.nowMs() - beganMs - this.meanMs) / MEMORY_OF_TIMES;
      this.beginNext();
    };
  }

  private beginNext(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) next.begin();
  }

  private next(): Waiting | undefined {
    const loadOf = ({ tenantId, userId }: Asking): readonly [number, number] => {
      const share = this.shareOf(tenantId);
      return [share.running, share.byUser.get(userId) ?? 0];
    };
    let best: { readonly waiting: Waiting; readonly load: readonly [number, number] } | undefined;
    for (const waiting of this.waiting) {
      if (!this.mayBegin(waiting)) continue;
      const load = loadOf(waiting);
      if (best === undefined || load[0] < best.load[0] || (load[0] === best.load[0] && load[1] < best.load[1]))
        best = { waiting, load };
    }
    return best?.waiting;
  }

  private mayBegin({ tenantId, isLong }: Asking): boolean {
    const { running, runningLong } = this.shareOf(tenantId);
    const places = this.placesEach();
    if (this.running >= this.places || running >= places) return false;
    return !isLong || runningLong < Math.min(LONG_PLACES, places - 1);
  }

  /** The places that one tenant may take now. */
  private placesEach(): number {
    this.forgetOthers();
    return Math.max(LEAST_SHARE, Math.ceil(this.places / (this.shares.size + 1)));
  }

  /** Forgets tenants that have not asked lately; not at each look, of which there are many. */
  private forgetOthers(): void {
    const nowMs = this.nowMs();
    if (nowMs - this.forgotAtMs < FORGET_EVERY_MS) return;
    this.forgotAtMs = nowMs;
    for (const [tenantId, { running, waiting, lastAtMs }] of this.shares) {
      if (running === 0 && waiting === 0 && lastAtMs < nowMs - LATELY_MS) this.shares.delete(tenantId);
    }
  }

  private wouldWaitMs({ tenantId }: Asking): number {
    return ((this.shareOf(tenantId).waiting + 1) * this.meanMs) / this.placesEach();
  }

  private shareOf(tenantId: string): Share {
    const nobody = {
      waiting: 0,
      running: 0,
      runningLong: 0,
      byUser: new Map<string, number>(),
      lastAtMs: this.nowMs(),
    };
    const share = this.shares.get(tenantId) ?? nobody;
    this.shares.set(tenantId, share);
    return share;
  }
}

const busy = (): AppError => new AppError('unavailable', 'too-busy', 'The service is busy; try again in a moment.');
