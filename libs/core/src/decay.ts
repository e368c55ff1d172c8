/** What is not used fades (docs/design.md, "Value and decay"). */
import { clamp01 } from './clamp.js';
import type { Validity } from './memory.js';

/** Share of its value that a memory loses in a day without use, by validity. */
export const DECAY_RATES: Readonly<Record<Validity, number>> = {
  forever: 0,
  language: 0.001,
  domain: 0.005,
  project: 0.01,
  dependency: 0.02,
  workaround: 0.05,
  none: 0.01,
};

/** What decides how fast a memory fades. */
export interface Fading {
  readonly validity: Validity;
  /** A pinned memory does not fade. */
  readonly pinned: boolean;
  /** Days since it was captured, merged into, or given a helpful vote that stands; negative counts as 0. */
  readonly daysSinceUseful: number;
  /** The configured `bellman.decay_rate`, which is the rate of validity `none`; default .01. */
  readonly noneRate?: number;
}

/** Share lost in a day, 0..1. */
export const decayRate = ({ validity, pinned, noneRate }: Omit<Fading, 'daysSinceUseful'>): number => {
  if (pinned) return 0;
  return validity === 'none' && noneRate !== undefined ? noneRate : DECAY_RATES[validity];
};

/**
 * What is left after days of not being useful, f in 0..1. A function of two dates, never a repeated multiplication:
 * a night that is missed, or run twice, changes nothing.
 */
export const fadeFactor = (fading: Fading): number =>
  (1 - clamp01(decayRate(fading))) ** Math.max(0, fading.daysSinceUseful);

/** Value after fading, 0..1: what lists, statistics, review and pruning read. */
export const effectiveUtility = (value: number, fading: Fading): number => clamp01(value) * fadeFactor(fading);
