import { AppError } from '@tempera/client-kit';
import { deadlinePassed } from './deadline.js';
import { FairLine, type Waiting } from './fair-line.js';

/** Someone waits for a question, the author for a capture, nobody for the backlog of promised embeddings. */
export const URGENCIES = ['question', 'capture', 'backlog'] as const;
export type Urgency = (typeof URGENCIES)[number];

export interface QueueRequest extends Waiting {
  readonly urgency: Urgency;
  /** From now; waiting and working count. A unit that began is not interrupted, but its caller is told. */
  readonly deadlineMs: number;
  /** What its own units may take together; waiting does not count. */
  readonly workMs: number;
  /** Ends it as if its time were over. */
  readonly signal?: AbortSignal;
}

/** Work that is done in units, between which others have their turn. */
export interface UnitWork {
  /** Does the next unit. @returns whether it was the last */
  advance(): Promise<boolean>;
  /** Called instead of further units, when nobody waits for the rest any more. */
  abandon(): void;
}

export interface EncoderQueueOptions {
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  /** Texts of one urgency that may wait. Default 256. */
  readonly capacity?: number;
  /** Those of one tenant among them. Default 64. */
  readonly tenantCapacity?: number;
}

interface Job extends QueueRequest {
  readonly work: UnitWork;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
  timer: NodeJS.Timeout | undefined;
  /** Milliseconds of its own units so far. */
  workedMs: number;
  /** `begun`: between two units; `over`: its caller has been told. */
  state: 'new' | 'running' | 'begun' | 'over';
}

/** After so many units of more urgent work in a row a less urgent one has its turn: a flood of questions starves nobody. */
const TURNS_IN_A_ROW = 4;
/**
 * One unit of work at a time: questions before captures before the backlog, within those one tenant after the other, short
 * texts first. Bounded for each tenant and in all; nothing takes longer than its deadline.
 */
export class EncoderQueue {
  private readonly lines: Readonly<Record<Urgency, FairLine<Job>>>;
  private readonly passedOver: Record<Urgency, number> = { question: 0, capture: 0, backlog: 0 };
  private readonly capacity: number;
  private readonly tenantCapacity: number;
  private readonly now: () => number;
  private isBusy = false;

  constructor({ now, capacity = 256, tenantCapacity = 64 }: EncoderQueueOptions) {
    this.lines = { question: new FairLine(), capture: new FairLine(), backlog: new FairLine() };
    this.capacity = capacity;
    this.tenantCapacity = tenantCapacity;
    this.now = now;
  }

  /**
   * @returns when the last unit is done
   * @throws AppError `unavailable`: encoder-busy (too much waits), encoder-deadline, encoder-too-slow (its own work took
   * more than `workMs`), encoder-closed (the signal); or what a unit throws
   */
  async run(request: QueueRequest, work: UnitWork): Promise<void> {
    this.assertRoom(request);
    return new Promise<void>((resolve, reject) => {
      const onAbort = (): void => this.end(job, closed());
      const job: Job = { ...request, work, resolve, reject, onAbort, timer: undefined, workedMs: 0, state: 'new' };
      const expire = (): void => this.end(job, deadlinePassed(job.deadlineMs));
      if (Number.isFinite(job.deadlineMs)) job.timer = setTimeout(expire, job.deadlineMs);
      job.signal?.addEventListener('abort', job.onAbort, { once: true });
      this.lines[job.urgency].add(job);
      if (job.signal?.aborted === true) job.onAbort();
      void this.drain();
    });
  }

  /** How many texts wait, by urgency. */
  waiting(): Readonly<Record<Urgency, number>> {
    const { question, capture, backlog } = this.lines;
    return { question: question.length, capture: capture.length, backlog: backlog.length };
  }

  private assertRoom({ urgency, tenant }: QueueRequest): void {
    const line = this.lines[urgency];
    const busy = (what: string): AppError => new AppError('unavailable', 'encoder-busy', what);
    if (line.lengthOf(tenant) >= this.tenantCapacity)
      throw busy(`${line.lengthOf(tenant)} of your texts wait for the encoder already; try again in a moment.`);
    if (line.length >= this.capacity)
      throw busy(`${line.length} texts wait for the encoder already; try again in a moment.`);
  }

  /** Tells the caller, and the work where it waits for its next unit; a unit under way is let finish. */
  private end(job: Job, error: unknown): void {
    const { state } = job;
    this.leave(job);
    job.reject(error);
    if (state === 'begun') job.work.abandon();
  }

  private leave(job: Job): void {
    job.state = 'over';
    this.lines[job.urgency].remove(job);
    clearTimeout(job.timer);
    job.signal?.removeEventListener('abort', job.onAbort);
  }

  private async drain(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (let job = this.next(); job !== undefined; job = this.next()) {
      await this.unit(job);
      // Where the encoder runs in this thread, nothing else would have a turn.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.isBusy = false;
  }

  private async unit(job: Job): Promise<void> {
    const startedAt = this.now();
    job.state = 'running';
    try {
      const isDone = await job.work.advance();
      job.workedMs += this.now() - startedAt;
      this.afterUnit(job, isDone);
    } catch (error) {
      if (!isOver(job)) this.end(job, error);
    }
  }

  private afterUnit(job: Job, isDone: boolean): void {
    if (isOver(job)) return isDone ? undefined : job.work.abandon();
    if (isDone) {
      this.leave(job);
      return job.resolve();
    }
    job.state = 'begun';
    if (job.workedMs >= job.workMs) this.end(job, tooSlow(job.workedMs));
  }

  private next(): Job | undefined {
    const waiting = URGENCIES.filter((urgency) => this.lines[urgency].length > 0);
    const chosen = waiting.find((urgency) => this.passedOver[urgency] >= TURNS_IN_A_ROW) ?? waiting[0];
    if (chosen === undefined) return undefined;
    for (const urgency of waiting) this.passedOver[urgency] += 1;
    this.passedOver[chosen] = 0;
    return this.lines[chosen].pick();
  }
}

function isOver({ state }: Job): boolean {
  return state === 'over';
}

function closed(): AppError {
  return new AppError('unavailable', 'encoder-closed', 'The encoders are being closed.');
}

function tooSlow(workedMs: number): AppError {
  const message = `The encoder worked on the text for ${Math.round(workedMs)} ms and was not done.`;
  return new AppError('unavailable', 'encoder-too-slow', message);
}
