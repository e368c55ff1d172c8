import { AppError } from '@tempera/client-kit';
import { Worker } from 'node:worker_threads';
import type { EncoderCard, EncoderId } from '../encoder-card.js';
import type { EncoderHost, ReadingProgress, ReadingStart } from '../encoder-host.js';
import type { ModelSource } from '../transformers-encoder.js';
import { ThreadLatch } from './latch.js';
import { fromSent, type ThreadAnswer, type ThreadCall, type ThreadSettings } from './messages.js';

export interface EncoderThreadOptions {
  readonly source: ModelSource;
  /** Encoders beside the standard ones. */
  readonly further?: readonly EncoderCard[];
  /** Threads of one inference; default 1. */
  readonly threads?: number;
  /** A unit of work that gives no answer for so long has stalled. Default 20,000: one takes a tenth of a second. */
  readonly stalledAfterMs?: number;
  /** The same for loading an encoder, which may be a download. Default 300,000. */
  readonly loadStalledAfterMs?: number;
  /** The thread's program; default the compiled thread/main.js. */
  readonly program?: URL;
}

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** A running thread and what it was asked for. */
interface Running {
  readonly worker: Worker;
  readonly latch: ThreadLatch;
  readonly calls: Map<number, Call>;
}

/**
 * All encoders in one thread of this process, so that reading a text never holds up the event loop that answers requests.
 * Started at first use. One that crashes or stalls is given up: what it was doing fails as `unavailable`, and the next call
 * starts another.
 */
export class EncoderThread implements EncoderHost {
  private running: Running | undefined;
  private lastId = 0;
  private isClosed = false;
  private readonly lostListeners: (() => void)[] = [];

  constructor(private readonly options: EncoderThreadOptions) {}

  async load(encoder: EncoderId): Promise<EncoderId> {
    return (await this.ask({ call: 'load', encoder }, this.options.loadStalledAfterMs ?? 300_000)) as EncoderId;
  }

  async advance(reading: number, start?: ReadingStart): Promise<ReadingProgress> {
    const call: ThreadCall = { call: 'advance', reading, ...(start === undefined ? {} : { start }) };
    return (await this.ask(call, this.options.stalledAfterMs ?? 20_000)) as ReadingProgress;
  }

  forget(reading: number): void {
    this.running?.worker.postMessage({ id: 0, call: 'forget', reading });
  }

  onLost(listener: () => void): void {
    this.lostListeners.push(listener);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const running = this.running;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.worker.once('exit', resolve));
    await this.ask({ call: 'close' }, this.options.stalledAfterMs ?? 20_000).catch(() => undefined);
    // One that was given up meanwhile is not waited for.
    if (this.running === running) await ended;
  }

  private ask(call: ThreadCall, patienceMs: number): Promise<unknown> {
    if (this.isClosed && call.call !== 'close')
      return Promise.reject(new AppError('unavailable', 'encoder-closed', 'The encoders are being closed.'));
    const running = (this.running ??= this.start());
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      const stalled = (): void => this.giveUp(running, `The encoder gave no answer for ${patienceMs} ms.`);
      running.calls.set(id, { resolve, reject, timer: setTimeout(stalled, patienceMs) });
      running.worker.postMessage({ ...call, id });
    });
  }

  private start(): Running {
    const latch = new ThreadLatch();
    const { source, further = [], threads = 1, program = compiledProgram() } = this.options;
    const workerData: ThreadSettings = { source, further, threads, latch: latch.memory };
    // Without the options of this process: a debugger or a loader of sources is not meant for the thread.
    const worker = new Worker(program, { workerData, execArgv: [], name: 'encoders' });
    const running: Running = { worker, latch, calls: new Map() };
    worker.on('message', (answer: ThreadAnswer) => settle(running, answer));
    worker.on('error', (cause) => this.giveUp(running, "The encoder's thread failed.", cause));
    worker.on('exit', () => this.giveUp(running, "The encoder's thread ended."));
    return running;
  }

  /** Everything it was asked for fails; the next call starts another. */
  private giveUp(running: Running, reason: string, cause?: unknown): void {
    if (this.running !== running) return;
    this.running = undefined;
    for (const { reject, timer } of running.calls.values()) {
      clearTimeout(timer);
      reject(threadLost(reason, cause));
    }
    running.calls.clear();
    if (running.latch.stop()) void running.worker.terminate();
    else running.worker.unref();
    for (const listener of this.lostListeners) listener();
  }
}

function settle({ calls }: Running, answer: ThreadAnswer): void {
  const call = calls.get(answer.id);
  if (call === undefined) return;
  calls.delete(answer.id);
  clearTimeout(call.timer);
  if ('error' in answer) call.reject(fromSent(answer.error));
  else call.resolve(answer.value);
}

/**
 * Beside this file once compiled. Node runs no TypeScript, so where this file is a source (tests resolve rooms to their
 * sources) the thread runs what the build made of it; `npm test` builds first.
 */
function compiledProgram(): URL {
  const here = new URL('.', import.meta.url).href;
  return new URL('main.js', import.meta.url.endsWith('.ts') ? here.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : here);
}

function threadLost(reason: string, cause?: unknown): AppError {
  return new AppError('unavailable', 'encoder-crashed', reason, { cause });
}
