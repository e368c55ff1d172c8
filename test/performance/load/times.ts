/** How long something took, over many times, in milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly mean: number;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The value that a share of all lie at or below. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;

export const timesOf = (milliseconds: readonly number[]): Times => {
  const sorted = [...milliseconds].sort((one, other) => one - other);
  const mean = sorted.length === 0 ? 0 : sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  return {
    count: sorted.length,
    p50: rounded(quantile(sorted, 0.5)),
    p95: rounded(quantile(sorted, 0.95)),
    p99: rounded(quantile(sorted, 0.99)),
    mean: rounded(mean),
  };
};
