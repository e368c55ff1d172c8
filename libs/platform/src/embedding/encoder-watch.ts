import { isAppError } from '@tempera/client-kit';
import type { EncoderId, EncoderName } from './encoder-card.js';
import { STANDARD_ENCODERS } from './encoder-catalogue.js';
import type { Urgency } from './encoder-queue.js';
import { counter, durations, gauge } from '../telemetry/metrics.js';

/** What is looked at of the encoders of a process. */
export interface WatchedEncoders {
  /** Texts that wait, by urgency. */
  waiting(): Readonly<Record<Urgency, number>>;
  statuses(): readonly { readonly name: EncoderName; readonly encoder: EncoderId; readonly state: string }[];
}

/** A standard encoder by its name, which dashboards know; another by its id. */
const labelOf = (encoder: EncoderId): string =>
  Object.values(STANDARD_ENCODERS).includes(encoder) ? encoder.replace(/@.*/, '') : encoder;

const watched = new Set<WatchedEncoders>();

gauge('tempera_encoder_waiting', 'Texts that wait for the encoders.', ['urgency'], (set) => {
  for (const encoders of watched) {
    for (const [urgency, count] of Object.entries(encoders.waiting())) set({ urgency }, count);
  }
});
gauge('tempera_encoder_ready', 'Whether an encoder can read (1) or not (0).', ['encoder'], (set) => {
  for (const encoders of watched) {
    for (const { encoder, state } of encoders.statuses()) set({ encoder: labelOf(encoder) }, state === 'ready' ? 1 : 0);
  }
});
const waits = durations('tempera_encoder_wait_seconds', 'From the asking to the first unit of work on a text.', [
  'urgency',
]);
const works = durations('tempera_encoder_work_seconds', "An encoder's own work on one text.", ['encoder', 'kind']);
const failures = counter('tempera_encoder_failures_total', 'Texts that an encoder did not read, by reason.', [
  'encoder',
  'reason',
]);

/** From now on their state is told. @returns ends that */
export const watchEncoders = (encoders: WatchedEncoders): (() => void) => {
  watched.add(encoders);
  return () => void watched.delete(encoders);
};

/** One text on its way through one encoder. */
export class ReadingWatch {
  private readonly askedAt: number;
  private workedMs = 0;
  private hasBegun = false;

  constructor(
    private readonly reading: { readonly encoder: EncoderId; readonly kind: string; readonly urgency: Urgency },
    private readonly now: () => number,
  ) {
    this.askedAt = now();
  }

  /** Around each unit of work. */
  async unit<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = this.now();
    if (!this.hasBegun) waits.observe({ urgency: this.reading.urgency }, (startedAt - this.askedAt) / 1_000);
    this.hasBegun = true;
    try {
      return await work();
    } finally {
      this.workedMs += this.now() - startedAt;
    }
  }

  done(): void {
    const { encoder, kind } = this.reading;
    works.observe({ encoder: labelOf(encoder), kind }, this.workedMs / 1_000);
  }

  failed(error: unknown): void {
    failures.inc({ encoder: labelOf(this.reading.encoder), reason: isAppError(error) ? error.code : 'unexpected' });
  }
}
