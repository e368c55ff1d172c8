import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextualEvidence, countsInContext, questionKinship, type ContextualVote } from './contextual-evidence.js';

const SETTINGS = { tau: 0.65, cap: 1, nu: 0.5, lambda: 3 };
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const vote: fc.Arbitrary<ContextualVote> = fc.record({
  user: fc.constantFrom('ann', 'bo', 'cy', 'di'),
  helpful: fc.boolean(),
  cosine,
});
const votes = fc.array(vote, { maxLength: 30 });
const net = (given: readonly ContextualVote[]): number => contextualEvidence(given, SETTINGS).net;

describe('contextual evidence', () => {
  it('lies between -nu and 1, and is 0 where nobody voted for a like question', () => {
    fc.assert(fc.property(votes, (given) => net(given) >= -SETTINGS.nu && net(given) < 1));
    fc.assert(
      fc.property(votes, (given) => {
        expect(net(given.map((one) => ({ ...one, cosine: Math.min(one.cosine, SETTINGS.tau) })))).toBe(0);
      }),
    );
  });

  it('is never lowered by praise nor raised by blame', () => {
    fc.assert(
      fc.property(votes, fc.constantFrom('ann', 'new'), cosine, (given, user, near) => {
        expect(net([...given, { user, helpful: true, cosine: near }])).toBeGreaterThanOrEqual(net(given) - 1e-12);
        expect(net([...given, { user, helpful: false, cosine: near }])).toBeLessThanOrEqual(net(given) + 1e-12);
      }),
    );
  });

  it('lets one person count once, however often', () => {
    const praise = { user: 'ann', helpful: true, cosine: 1 };
    expect(net(Array.from({ length: 50 }, () => praise))).toBe(net([praise]));
    expect(net([praise, { ...praise, user: 'bo' }])).toBeGreaterThan(net([praise]));
  });

  it('does not depend on the order of votes', () => {
    fc.assert(fc.property(votes, (given) => Math.abs(net([...given].reverse()) - net(given)) < 1e-12));
  });

  it('counts the people whose votes bear on the question', () => {
    const { people } = contextualEvidence(
      [
        { user: 'ann', helpful: true, cosine: 0.9 },
        { user: 'ann', helpful: false, cosine: 0.9 },
        { user: 'bo', helpful: true, cosine: 0.9 },
        { user: 'cy', helpful: true, cosine: 0.2 },
      ],
      SETTINGS,
    );
    expect(people).toBe(2);
  });
});

describe('the kinship of questions', () => {
  it('is 1 for the same question, 0 up to tau, and grows between', () => {
    expect(questionKinship(1, 0.65)).toBe(1);
    expect(questionKinship(0.65, 0.65)).toBe(0);
    expect(questionKinship(0.8, 0.65)).toBeGreaterThan(questionKinship(0.7, 0.65));
  });

  it('is none where the card knows no likeness short of equality', () => expect(questionKinship(1, 1)).toBe(0));
});

describe("an author's votes", () => {
  const vote = { voterId: 'ann', authorId: 'ann', askerId: 'bo', shared: true };

  it('move nobody else', () => expect(countsInContext(vote)).toBe(false));

  it.each([
    ["the author's own answers", { ...vote, askerId: 'ann' }],
    ['private memories', { ...vote, askerId: 'ann', shared: false }],
    ['projects of one', { ...vote, shared: false }],
  ])('count for %s', (_, given) => expect(countsInContext(given)).toBe(true));

  it('are told from the votes of others', () => expect(countsInContext({ ...vote, voterId: 'cy' })).toBe(true));
});
