import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keywordPart, leastRelevance, likeness, type Match, matchOdds, oddsInSession, relevance } from './relevance.js';

const CARD = { intercept: -12, cosine: 16, keyword: 2, unrelatedCosine: 0.53 };
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const bm25 = fc.double({ min: 0, max: 40, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });

const relevanceOf = (match: Match, card = CARD): number => relevance(matchOdds(match, card));

describe('likeness', () => {
  it('places a cosine between what any two texts have and the same text, and without one takes the words', () => {
    const of = (given: number | null, keyword = 0): number => likeness({ cosine: given, keyword }, 0.6);
    expect([of(1), of(0.6), of(0.3, 1), of(null, 0.7)]).toEqual([1, 0, 0, 0.7]);
    expect(of(0.8, 1)).toBeCloseTo(0.5, 12);
  });
});

describe('relevance', () => {
  it('is a probability that grows with cosine and keywords', () => {
    fc.assert(
      fc.property(cosine, cosine, share, share, (a, b, c, d) => {
        const low = relevanceOf({ cosine: Math.min(a, b), keyword: Math.min(c, d) });
        const high = relevanceOf({ cosine: Math.max(a, b), keyword: Math.max(c, d) });
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThanOrEqual(low);
      }),
    );
  });

  it('takes a memory without a vector for unrelated, so that its keywords decide', () => {
    expect(relevanceOf({ cosine: null, keyword: 0.7 })).toBe(
      relevanceOf({ cosine: CARD.unrelatedCosine, keyword: 0.7 }),
    );
  });

  it('stays a number at any calibration', () => {
    const steep = { ...CARD, cosine: 1e6 };
    expect(relevanceOf({ cosine: -1, keyword: 0 }, steep)).toBe(0);
    expect(relevanceOf({ cosine: 1, keyword: 0 }, steep)).toBe(1);
  });

  it('asks of a hit what was asked, and more beside a strong one', () => {
    expect(leastRelevance(0.002, 0.1)).toBe(0.002);
    expect(leastRelevance(0.002, 0.9)).toBeCloseTo(0.009, 12);
  });
});

describe('the keyword part', () => {
  it('is 0 where no candidate has a term of the question', () => {
    expect(keywordPart({ bm25: 0, maxBm25: 0, covered: 0 })).toBe(0);
  });

  it('of the best candidate is what that covers of the question, however few its rivals', () => {
    expect(keywordPart({ bm25: 7, maxBm25: 7, covered: 1 })).toBe(1);
    expect(keywordPart({ bm25: 2, maxBm25: 2, covered: 0.25 })).toBe(0.25);
  });

  it('grows with BM25 and with what is covered, and is never more than that', () => {
    fc.assert(
      fc.property(bm25, bm25, share, share, (a, b, c, d) => {
        const maxBm25 = Math.max(a, b);
        const low = keywordPart({ bm25: Math.min(a, b), maxBm25, covered: Math.min(c, d) });
        const high = keywordPart({ bm25: maxBm25, maxBm25, covered: Math.max(c, d) });
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeGreaterThanOrEqual(low);
        expect(high).toBeLessThanOrEqual(Math.max(c, d));
      }),
    );
  });
});

describe('a memory in its session', () => {
  const odds = fc.double({ min: -20, max: 5, noNaN: true });
  const terms = fc.integer({ min: 0, max: 5_000 });

  it('is never lowered by what came before it, and stays below that unless it is better itself', () => {
    fc.assert(
      fc.property(odds, odds, terms, (own, before, length) => {
        const raised = oddsInSession(own, before, length);
        expect(raised).toBeGreaterThanOrEqual(own);
        expect(raised).toBeLessThanOrEqual(Math.max(own, before));
      }),
    );
  });

  it('takes over less the more it says itself, and nothing from nobody', () => {
    const [remark, paragraph, page] = [10, 120, 1_200].map((length) => oddsInSession(-6, 0, length));
    expect(remark).toBeGreaterThan(paragraph ?? 0);
    expect(paragraph).toBeGreaterThan(page ?? 0);
    expect(page).toBeLessThan(-5.8);
    expect(oddsInSession(-6, null, 10)).toBe(-6);
  });
});
