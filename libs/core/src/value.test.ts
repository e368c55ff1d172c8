import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DECAY_RATES, fadeFactor } from './decay.js';
import { VALIDITIES } from './memory.js';
import { assess, confidence, rankingInput, type MemoryState } from './value.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const weight = fc.double({ min: 0, max: 60, noNaN: true });
const state: fc.Arbitrary<MemoryState> = fc.record({
  votes: fc.record({ helpful: weight, unhelpful: weight }),
  credit: fc.double({ min: 0, max: 0.3, noNaN: true }),
  propagated: share,
  reached: share,
  validity: fc.constantFrom(...VALIDITIES),
  pinned: fc.boolean(),
  daysSinceUseful: fc.double({ min: -5, max: 2000, noNaN: true }),
});
const NEW: MemoryState = {
  votes: { helpful: 0, unhelpful: 0 },
  credit: 0,
  propagated: 0,
  reached: 0,
  validity: 'none',
  pinned: false,
  daysSinceUseful: 0,
};
/** Sums of weights are floating-point numbers. */
const EPSILON = 1e-12;

describe('the worth of a memory', () => {
  it('keeps every part in its range, whatever the row holds', () => {
    fc.assert(
      fc.property(state, (row) => {
        const { rankingInput: g, evidence: e, ...rest } = assess(row);
        const { lent, confidence, base, fade, value, utility, earned } = rest;
        const parts = [e, lent, confidence, base, fade, value, utility, earned];
        return parts.every((part) => part >= 0 && part <= 1) && Math.abs(g) <= 1;
      }),
      { numRuns: 5_000 },
    );
  });

  it('starts neutral', () => {
    expect(assess(NEW)).toMatchObject({ evidence: 0.5, utility: 0.5, rankingInput: 0, earned: 0, confidence: 0 });
  });

  it('moves the rank up by a helpful vote and down by an unhelpful one, or not at all', () => {
    fc.assert(
      fc.property(state, fc.double({ min: 0.001, max: 3, noNaN: true }), (row, more) => {
        const before = assess(row).rankingInput;
        const { helpful, unhelpful } = row.votes;
        const praised = assess({ ...row, daysSinceUseful: 0, votes: { helpful: helpful + more, unhelpful } });
        const blamed = assess({ ...row, votes: { helpful, unhelpful: unhelpful + more } });
        return praised.rankingInput >= before - EPSILON && blamed.rankingInput <= before + EPSILON;
      }),
      { numRuns: 5_000 },
    );
  });

  it('is moved for certain by the first vote of a new memory', () => {
    expect(assess({ ...NEW, votes: { helpful: 1, unhelpful: 0 } }).rankingInput).toBeGreaterThan(0);
    expect(assess({ ...NEW, votes: { helpful: 0, unhelpful: 1 } }).rankingInput).toBeLessThan(0);
  });

  it('lets praise fade to neutral and never below, while blame stays', () => {
    fc.assert(
      fc.property(state, fc.double({ min: 0, max: 500, noNaN: true }), (row, days) => {
        const now = assess(row);
        const later = assess({ ...row, daysSinceUseful: row.daysSinceUseful + days });
        if (now.evidence < 0.5) expect(later.rankingInput).toBe(now.rankingInput);
        else {
          expect(later.rankingInput).toBeGreaterThanOrEqual(0);
          expect(later.rankingInput).toBeLessThanOrEqual(now.rankingInput + EPSILON);
        }
      }),
    );
  });

  it('borrows nothing where people found it unhelpful', () => {
    const blamed = { ...NEW, votes: { helpful: 0, unhelpful: 1 } };
    const offered = assess({ ...blamed, propagated: 1, reached: 1 });
    expect(offered.utility).toBe(assess(blamed).utility);
    expect(offered.rankingInput).toBe(assess(blamed).rankingInput);
  });

  it('is raised by a loan, and follows it down at once when the source falls', () => {
    const borrowing = assess({ ...NEW, propagated: 0.6, reached: 0.6 });
    const fallen = assess({ ...NEW, propagated: 0.6, reached: 0.1 });
    expect(borrowing.rankingInput).toBeCloseTo(0.2, 12);
    expect(borrowing.utility).toBeCloseTo(0.8, 12);
    expect(fallen.lent).toBe(0.1);
  });

  it('never lends on what it borrowed', () => {
    fc.assert(
      fc.property(state, share, share, (row, propagated, reached) => {
        expect(assess({ ...row, propagated, reached }).earned).toBe(assess(row).earned);
      }),
    );
  });
});

describe('the ranking input at the edge between praise and blame', () => {
  it('does not jump', () => {
    const worth = { credit: 0, lent: 0 };
    expect(rankingInput({ ...worth, evidence: 0.5 }, 1, 1)).toBe(0);
    expect(rankingInput({ ...worth, evidence: 0.5 - 1e-9 }, 1, 1)).toBeCloseTo(0, 8);
  });
});

describe('confidence', () => {
  it('grows with votes and never reaches certainty', () => {
    fc.assert(
      fc.property(weight, weight, (votes, more) => {
        expect(confidence(votes + more)).toBeGreaterThanOrEqual(confidence(votes));
        expect(confidence(votes)).toBeLessThan(1);
      }),
    );
  });
});

describe('fading', () => {
  const fading = { validity: 'none', pinned: false, daysSinceUseful: 10 } as const;

  it('never happens to what is pinned or meant for ever', () => {
    expect(fadeFactor({ ...fading, validity: 'workaround', pinned: true })).toBe(1);
    expect(fadeFactor({ ...fading, validity: 'forever', daysSinceUseful: 1e6 })).toBe(1);
  });

  it('depends on the two dates only: ten days at once are ten days one by one', () => {
    const daily = fadeFactor({ ...fading, daysSinceUseful: 1 }) ** 10;
    expect(fadeFactor(fading)).toBeCloseTo(daily, 12);
  });

  it('takes the configured rate for memories of no validity, and for no others', () => {
    expect(fadeFactor({ ...fading, noneRate: 0.5, daysSinceUseful: 1 })).toBe(0.5);
    expect(fadeFactor({ ...fading, validity: 'language', noneRate: 0.5, daysSinceUseful: 1 })).toBe(
      1 - DECAY_RATES.language,
    );
  });
});
