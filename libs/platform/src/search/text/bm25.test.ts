import { describe, expect, it } from 'vitest';
import { bm25 } from './bm25.js';

const term = { tf: 1, length: 10, averageLength: 10, documentFrequency: 1, documents: 100 };

describe('bm25', () => {
  it('agrees with the formula', () => {
    expect(bm25(term)).toBeCloseTo(Math.log(1 + 99.5 / 1.5), 12);
  });

  it('grows with occurrences, but ever less', () => {
    const [one, two, three] = [1, 2, 3].map((tf) => bm25({ ...term, tf }));
    expect(Number(two) - Number(one)).toBeGreaterThan(Number(three) - Number(two));
    expect(Number(three)).toBeGreaterThan(Number(two));
  });

  it('is larger for rare terms and short documents, and never negative', () => {
    expect(bm25({ ...term, documentFrequency: 50 })).toBeLessThan(bm25(term));
    expect(bm25({ ...term, length: 100 })).toBeLessThan(bm25(term));
    expect(bm25({ ...term, documentFrequency: 100 })).toBeGreaterThan(0);
    expect(bm25({ ...term, tf: 0 })).toBe(0);
    expect(bm25({ ...term, averageLength: 0, documents: 0, documentFrequency: 0 })).toBeGreaterThanOrEqual(0);
  });
});
