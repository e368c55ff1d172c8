import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketStart, learningPoint, shiftBucket, TREND_BUCKETS, trendBucket } from './trends.js';

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

  it('begin where the one before ends, and are left by no shift', () => {
    fc.assert(
      fc.property(date, fc.constantFrom(...TREND_BUCKETS), fc.integer({ min: -60, max: 60 }), (at, bucket, periods) => {
        const start = bucketStart(at, bucket);
        const next = shiftBucket(start, bucket, 1);
        expect([start <= at, at < next]).toEqual([true, true]);
        expect(trendBucket(start, bucket)).toBe(trendBucket(at, bucket));
        expect(trendBucket(new Date(next.getTime() - 1), bucket)).toBe(trendBucket(at, bucket));
        expect(trendBucket(next, bucket)).not.toBe(trendBucket(at, bucket));
        expect(shiftBucket(shiftBucket(start, bucket, periods), bucket, -periods)).toEqual(start);
      }),
    );
  });

  it('refuse what is no date', () => expect(() => trendBucket(new Date('soon'), 'weekly')).toThrow(RangeError));
});

describe('a point of the learning curve', () => {
  const counts = { asked: 8, answered: 2, helpful: 3, unhelpful: 1, helpfulPlaces: 6 };

  it('is measured against what was asked and voted in it', () => {
    expect(learningPoint(counts)).toEqual({ answerRate: 0.25, helpfulShare: 0.75, meanPlace: 2 });
  });

  it('is a gap where nothing was asked or voted, and a zero where all of it was of no help', () => {
    const none = { asked: 0, answered: 0, helpful: 0, unhelpful: 0, helpfulPlaces: 0 };
    expect(learningPoint(none)).toEqual({ answerRate: null, helpfulShare: null, meanPlace: null });
    const bad = { ...none, asked: 4, unhelpful: 4 };
    expect(learningPoint(bad)).toEqual({ answerRate: 0, helpfulShare: 0, meanPlace: null });
  });

  it('depends on nothing that happened before: the same votes give the same point after any first week', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (helpful, unhelpful) => {
        const point = learningPoint({ ...counts, helpful, unhelpful });
        const share = helpful + unhelpful === 0 ? null : helpful / (helpful + unhelpful);
        expect(point.helpfulShare).toBe(share);
      }),
    );
  });
});
