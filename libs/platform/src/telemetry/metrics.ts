import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * What this program measures: one set a process, as there is one standard output. Names, and labels whose values are words
 * of our own; an id of a tenant is the only label that comes from data, and of those there are ten at most. Never a text,
 * a name of a person, an address.
 */
export const metrics = new Registry();

export type { Counter, Gauge, Histogram };

/** From a statement of half a millisecond to what a request's deadline cuts off. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts what happened; only ever rises. */
export const counter = <Label extends string = never>(
  name: `tempera_${string}_total`,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> => new Counter({ name, help, labelNames: [...labelNames], registers: [metrics] });

/** How long something took. */
export const durations = <Label extends string = never>(
  name: `tempera_${string}_seconds`,
  help: string,
  labelNames: readonly Label[] = [],
): Histogram<Label> =>
  new Histogram({ name, help, labelNames: [...labelNames], buckets: SECONDS, registers: [metrics] });

/** How much there is now; `read` is asked at each look, and for nothing else. */
export const gauge = <Label extends string = never>(
  name: `tempera_${string}`,
  help: string,
  labelNames: readonly Label[] = [],
  read?: (set: (labels: Readonly<Partial<Record<Label, string>>>, value: number) => void) => void,
): Gauge<Label> => {
  const made: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [metrics],
    ...(read === undefined
      ? {}
      : {
          collect: () => {
            made.reset();
            read((labels, value) => made.inc(labels, value));
          },
        }),
  });
  return made;
};
