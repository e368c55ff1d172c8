import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VERIFICATIONS } from './memory.js';
import { boundedFactor, linearScore, scoreMemory, trust, type ScoreInput } from './ranking.js';
import { resolveSettings } from './settings.js';

const SETTINGS = resolveSettings().retrieval;
const share = fc.double({ min: 0, max: 1, noNaN: true });
const signed = fc.double({ min: -1, max: 1, noNaN: true });
const input: fc.Arbitrary<ScoreInput> = fc.record({
  relevance: share,
  standing: fc.record({
    verification: fc.constantFrom(...VERIFICATIONS),
    helpedOthers: fc.boolean(),
    isOwn: fc.boolean(),
  }),
  net: signed,
  rankingInput: signed,
  utility: share,
  ageDays: fc.double({ min: 0, max: 4000, noNaN: true }),
});
const weights = fc.record({ similarityWeight: share, utilityWeight: share, recencyWeight: share, maxBoost: share });

describe('the score of a memory', () => {
  it('is the product of the parts it reports', () => {
    fc.assert(
      fc.property(input, (given) => {
        const parts = scoreMemory(given, SETTINGS);
        expect(parts.score).toBe(parts.relevance * parts.trust * parts.contextFactor * parts.boundedFactor);
      }),
    );
  });

  it('rises with praise and falls with blame, all else equal', () => {
    fc.assert(
      fc.property(input, signed, (given, other) => {
        const [low, high] = [Math.min(given.rankingInput, other), Math.max(given.rankingInput, other)];
        const score = (g: number): number => scoreMemory({ ...given, rankingInput: g }, SETTINGS).score;
        expect(score(high)).toBeGreaterThanOrEqual(score(low));
      }),
    );
  });

  it('rises with votes for like questions', () => {
    fc.assert(
      fc.property(input, signed, (given, other) => {
        const [low, high] = [Math.min(given.net, other), Math.max(given.net, other)];
        const score = (net: number): number => scoreMemory({ ...given, net }, SETTINGS).score;
        expect(score(high)).toBeGreaterThanOrEqual(score(low));
      }),
    );
  });

  it('is moved by utility and recency by no more than max_boost', () => {
    fc.assert(
      fc.property(weights, share, share, share, (given, utility, confidence, recency) => {
        const factor = boundedFactor({ utility, confidence, recency }, given);
        expect(Math.abs(factor - 1)).toBeLessThanOrEqual(given.maxBoost + 1e-12);
      }),
    );
  });

  it('without anything learned is the score without learning', () => {
    fc.assert(
      fc.property(input, (given) => {
        const fresh = {
          ...given,
          net: 0,
          rankingInput: 0,
          utility: 0.5,
          standing: { ...given.standing, helpedOthers: false },
        };
        for (const ranking of ['bounded', 'linear'] as const) {
          const { score, scoreWithoutLearning } = scoreMemory(fresh, { ...SETTINGS, ranking });
          expect(scoreWithoutLearning).toBe(score);
          expect(scoreMemory(given, { ...SETTINGS, ranking }).scoreWithoutLearning).toBe(score);
        }
      }),
    );
  });

  it('is never negative, even where votes for like questions outweigh it', () => {
    fc.assert(fc.property(input, (given) => scoreMemory(given, { ...SETTINGS, contextBoost: 2 }).score >= 0));
  });
});

describe('the linear ranking', () => {
  it('is a weighted mean, within the range of its parts', () => {
    fc.assert(
      fc.property(share, share, share, weights, (similarity, utility, recency, given) => {
        const score = linearScore({ similarity, utility, recency }, given);
        expect(score).toBeGreaterThanOrEqual(Math.min(similarity, utility, recency) - 1e-12);
        expect(score).toBeLessThanOrEqual(Math.max(similarity, utility, recency) + 1e-12);
      }),
    );
  });

  it('falls back to similarity where nothing is weighed', () => {
    const none = { similarityWeight: 0, utilityWeight: 0, recencyWeight: 0 };
    expect(linearScore({ similarity: 0.4, utility: 1, recency: 1 }, none)).toBe(0.4);
  });
});

describe('trust', () => {
  const stranger = { verification: 'untested', helpedOthers: false, isOwn: false } as const;

  it('is reduced for what nobody but its author vouches for', () => expect(trust(stranger)).toBe(0.9));

  it('rises with what verifies a memory, and is full for use across projects', () => {
    const steps = VERIFICATIONS.map((verification) => trust({ ...stranger, verification }));
    expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other));
    expect(steps.at(-1)).toBe(1);
  });

  it.each(['helpedOthers', 'isOwn'] as const)('is full for a memory that is %s, whatever verifies it', (reason) => {
    for (const verification of VERIFICATIONS) expect(trust({ ...stranger, verification, [reason]: true })).toBe(1);
  });
});
