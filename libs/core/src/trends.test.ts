import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trendBucket } from './trends.js';

const date = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2090-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const DAY = 86_400_000;

describe('trend buckets', () => {
  it('begin a week on Monday at midnight UTC and end it on Sunday', () => {
    expect(trendBucket(new Date('2026-04-13T00:00:00Z'), 'weekly')).toBe('2026-W16');
    expect(trendBucket(new Date('2026-04-19T23:59:59.999Z'), 'weekly')).toBe('2026-W16');
    expect(trendBucket(new Date('2026-04-20T00:00:00Z'), 'weekly')).toBe('2026-W17');
  });

  it('sort as texts in the order of time, without a gap of more than a week', () => {
    fc.assert(
      fc.property(date, (at) => {
        const next = new Date(at.getTime() + 7 * DAY);
        expect(trendBucket(at, 'weekly') < trendBucket(next, 'weekly')).toBe(true);
        expect(trendBucket(at, 'weekly')).toMatch(/^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/);
        expect(trendBucket(at, 'monthly')).toBe(at.toISOString().slice(0, 7));
      }),
    );
  });

  it('refuse what is no date', () => expect(() => trendBucket(new Date('soon'), 'weekly')).toThrow(RangeError));
});
