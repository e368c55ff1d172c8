/** Keeps a value inside `[low, high]`. */
export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Keeps a share, probability or utility inside 0..1. */
export const clamp01 = (value: number): number => clamp(value, 0, 1);
