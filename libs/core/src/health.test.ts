import { describe, expect, it } from 'vitest';
import { sumHealth, type StandingCount } from './health.js';

const of = (more: Partial<StandingCount>): StandingCount => ({
  ...{ count: 1, neverRetrieved: 0, pinned: false, assessed: { utility: 0.5, base: 0.5, fade: 1 } },
  ...{ daysUnused: 0, utilityHere: 0.5 },
  ...more,
});

describe('health', () => {
  it('adds up memories, what is worth much by its own earnings, and what is stale; a pin is never stale', () => {
    const faded = { utility: 0.05, base: 0.9, fade: 0.05 };
    const groups = [
      of({ count: 3, neverRetrieved: 2 }),
      of({ count: 2, assessed: { utility: 0.8, base: 0.9, fade: 0.9 } }),
      of({ count: 4, assessed: faded, daysUnused: 200, utilityHere: 0.05 }),
      of({ count: 5, assessed: faded, daysUnused: 200, utilityHere: 0.05, pinned: true }),
      // Imported last week, of years ago.
      of({ count: 1, assessed: faded, daysUnused: 7, utilityHere: 0.8 }),
    ];
    const { utility, ...counts } = sumHealth(groups, { ageDays: 90, utility: 0.1 });
    expect(counts).toEqual({ memories: 15, neverRetrieved: 2, highValue: 2, stale: 4 });
    expect(utility).toBeCloseTo(3 * 0.5 + 2 * 0.8 + 10 * 0.05, 10);
    expect(sumHealth([], { ageDays: 1, utility: 1 })).toMatchObject({ memories: 0, utility: 0 });
  });
});
