import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibratedRelevance } from './relevance.js';

const CARD = { intercept: -12, cosine: 16, keyword: 2, unrelatedCosine: 0.53 };
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const bm25 = fc.double({ min: 0, max: 40, noNaN: true });

describe('relevance', () => {
  it('is a probability that grows with cosine and keywords', () => {
    fc.assert(
      fc.property(cosine, cosine, bm25, bm25, (a, b, c, d) => {
        const of = (near: number, words: number): number =>
          calibratedRelevance({ cosine: near, bm25: words, maxBm25: 40 }, CARD).relevance;
        const [low, high] = [of(Math.min(a, b), Math.min(c, d)), of(Math.max(a, b), Math.max(c, d))];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThanOrEqual(low);
      }),
    );
  });

  it('takes a memory without a vector for unrelated, so that its keywords decide', () => {
    expect(calibratedRelevance({ cosine: null, bm25: 3, maxBm25: 3 }, CARD)).toEqual(
      calibratedRelevance({ cosine: CARD.unrelatedCosine, bm25: 3, maxBm25: 3 }, CARD),
    );
  });

  it('has no keyword part where no candidate has a term of the question', () => {
    expect(calibratedRelevance({ cosine: 0.8, bm25: 0, maxBm25: 0 }, CARD).keyword).toBe(0);
  });

  it('stays a number at any calibration', () => {
    const steep = { ...CARD, cosine: 1e6 };
    expect(calibratedRelevance({ cosine: -1, bm25: 0, maxBm25: 0 }, steep).relevance).toBe(0);
    expect(calibratedRelevance({ cosine: 1, bm25: 0, maxBm25: 0 }, steep).relevance).toBe(1);
  });
});
