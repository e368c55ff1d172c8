import { chance } from './chance.js';

/** A mean with the interval that 95 % of resampled means lie in. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1_000;

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A small generator (mulberry32): a bootstrap draws millions of numbers, for which a digest each would be too slow. */
const generator = (seed: number): (() => number) => {
  let state = Math.floor(chance(seed, 'bootstrap') * 2 ** 32);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The mean of a figure over queries with its percentile bootstrap interval; the same seed gives the same interval. */
export const bootstrapMean = (values: readonly number[], seed: number): Estimate => {
  const mean = meanOf(values);
  if (values.length < 2) return { mean, low: mean, high: mean };
  const random = generator(seed);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).sort((one, other) => one - other);
  const at = (share: number): number => means[Math.floor(share * (RESAMPLES - 1))] ?? mean;
  return { mean, low: at(0.025), high: at(0.975) };
};

/** What a figure gained, query by query: the interval is that of the differences. */
export const bootstrapGain = (before: readonly number[], after: readonly number[], seed: number): Estimate => {
  if (before.length !== after.length) throw new Error(`${before.length} figures before and ${after.length} after.`);
  return bootstrapMean(
    after.map((value, index) => value - (before[index] ?? 0)),
    seed,
  );
};
