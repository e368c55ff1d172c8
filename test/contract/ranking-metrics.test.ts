import { describe, expect, it } from 'vitest';
import { readOccurredAt } from '../performance/neutral-sets.js';
import { meanMetrics, measureRanking } from '../performance/ranking-metrics.js';

describe('ranking metrics', () => {
  it('count a relevant memory at rank two as half a reciprocal rank and full recall', () => {
    const measured = measureRanking(['a', 'b', 'c'], ['b']);
    expect(measured.recallAt5).toBe(1);
    expect(measured.reciprocalRank).toBe(0.5);
    expect(measured.ndcgAt5).toBeCloseTo(1 / Math.log2(3), 12);
  });

  it('divide recall by all that should have been found, and look at five places only', () => {
    const measured = measureRanking(['x1', 'x2', 'x3', 'x4', 'a', 'b'], ['a', 'b']);
    expect(measured.recallAt5).toBe(0.5);
    expect(measured.recallAt10).toBe(1);
    expect(measured.reciprocalRank).toBe(0.2);
  });

  it('give nothing for an empty answer, and no figure over no queries', () => {
    expect(measureRanking([], ['a']).ndcgAt5).toBe(0);
    expect(meanMetrics([]).recallAt5).toBe(0);
  });
});

describe('dates of public sets', () => {
  it.each([
    ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
    ['12:09 am on 13 September, 2023', '2023-09-13T00:09:00.000Z'],
    ['2023/04/10 (Mon) 14:47', '2023-04-10T14:47:00.000Z'],
    ['2025-06-12T09:15:00Z', '2025-06-12T09:15:00.000Z'],
  ])('are read as they are written: %s', (written, expected) => {
    expect(readOccurredAt(written)).toBe(expected);
  });

  it('are left out when they cannot be read', () => {
    expect(readOccurredAt('last spring')).toBeUndefined();
  });
});
