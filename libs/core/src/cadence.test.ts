import { describe, expect, it } from 'vitest';
import { type Cadence, isDue } from './cadence.js';

describe('a step that is wanted less often than every night', () => {
  it.each<[Cadence, string, string | null, boolean]>([
    ['nightly', '2026-11-30', '2026-11-30', true],
    ['weekly', '2026-11-29', '2026-11-23', false],
    ['weekly', '2026-11-30', '2026-11-29', true],
    ['weekly', '2027-01-03', '2026-12-28', false],
    ['weekly', '2027-01-04', '2026-12-28', true],
    ['monthly', '2026-11-30', '2026-11-01', false],
    ['monthly', '2026-12-01', '2026-11-30', true],
    ['monthly', '2027-01-01', '2026-12-31', true],
    ['quarterly', '2026-12-31', '2026-10-01', false],
    ['quarterly', '2027-01-01', '2026-12-31', true],
  ])('%s on %s, done last on %s: %s', (cadence, runDate, lastOn, due) => {
    expect(isDue(cadence, runDate, lastOn)).toBe(due);
  });

  it('is due at first, is made up for after missed nights, and never for a date before it was done', () => {
    for (const cadence of ['weekly', 'monthly', 'quarterly'] as const) {
      expect(isDue(cadence, '2026-11-30', null)).toBe(true);
      expect(isDue(cadence, '2026-11-20', '2026-01-02')).toBe(true);
      expect(isDue(cadence, '2026-01-02', '2026-11-20')).toBe(false);
    }
  });
});
