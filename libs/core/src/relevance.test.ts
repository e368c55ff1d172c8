import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibratedRelevance, keywordPart } from './relevance.js';

const CARD = { intercept: -12, cosine: 16, keyword: 2, unrelatedCosine: 0.53 };
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const bm25 = fc.double({ min: 0, max: 40, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('relevance', () => {
  it('is a probability that grows with cosine and keywords', () => {
    fc.assert(
      fc.property(cosine, cosine, bm25, bm25, (a, b, c, d) => {
        const of = (near: number, words: number): number =>
          calibratedRelevance(
            { cosine: near, keyword: keywordPart({ bm25: words, maxBm25: 40, coverage: 0.8 }) },
            CARD,
          );
        const [low, high] = [of(Math.min(a, b), Math.min(c, d)), of(Math.max(a, b), Math.max(c, d))];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThanOrEqual(low);
      }),
    );
  });

  it('takes a memory without a vector for unrelated, so that its keywords decide', () => {
    expect(calibratedRelevance({ cosine: null, keyword: 0.7 }, CARD)).toBe(
      calibratedRelevance({ cosine: CARD.unrelatedCosine, keyword: 0.7 }, CARD),
    );
  });

  it('stays a number at any calibration', () => {
    const steep = { ...CARD, cosine: 1e6 };
    expect(calibratedRelevance({ cosine: -1, keyword: 0 }, steep)).toBe(0);
    expect(calibratedRelevance({ cosine: 1, keyword: 0 }, steep)).toBe(1);
  });
});

describe('the keyword part', () => {
  it('is 0 where no candidate has a term of the question', () => {
    expect(keywordPart({ bm25: 0, maxBm25: 0, coverage: 0 })).toBe(0);
  });

  it('of the best candidate is what that covers of the question, however few its rivals', () => {
    expect(keywordPart({ bm25: 7, maxBm25: 7, coverage: 1 })).toBe(1);
    expect(keywordPart({ bm25: 2, maxBm25: 2, coverage: 0.25 })).toBe(0.25);
  });

  it('keeps the proportions of BM25, and lies between 0 and 1', () => {
    fc.assert(
      fc.property(bm25, bm25, share, (a, b, coverage) => {
        const maxBm25 = Math.max(a, b);
        const [one, other] = [keywordPart({ bm25: a, maxBm25, coverage }), keywordPart({ bm25: b, maxBm25, coverage })];
        expect(Math.max(one, other)).toBeLessThanOrEqual(coverage);
        expect(Math.min(one, other)).toBeGreaterThanOrEqual(0);
        expect(one * b).toBeCloseTo(other * a, 9);
      }),
    );
  });
});
