import { randomFrom } from './random.js';

/** A mean with the interval in which it lies with 95 % of resamplings of its values. */
export interface MeanWithInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const ROUNDS = 1_000;

/** Percentile bootstrap of a mean. The same values give the same interval: the resampling is seeded. */
export function bootstrapMean(values: readonly number[], seed = 1): MeanWithInterval {
  const mean = meanOf(values);
  if (values.length < 2) return { mean, low: mean, high: mean };
  const random = randomFrom(seed);
  const means = Array.from({ length: ROUNDS }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).sort((one, other) => one - other);
  return { mean, low: means[Math.floor(0.025 * ROUNDS)] ?? mean, high: means[Math.ceil(0.975 * ROUNDS) - 1] ?? mean };
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
