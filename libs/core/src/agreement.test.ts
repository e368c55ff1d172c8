import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { borneOut, standingOf } from './agreement.js';
import { contextualEvidence, type KindredVote } from './contextual-evidence.js';

const vote = (user: string, helpful: boolean, kinship = 1): KindredVote => ({
  user,
  helpful,
  kinship,
  at: new Date('2026-11-20T10:00:00Z'),
  id: `${user} ${helpful}`,
});

/** What each person says of memories 0, 1, 2 …: + helpful, - not, a blank for nothing. */
const said = (words: Readonly<Record<string, string>>): Map<number, KindredVote[]> => {
  const votes = new Map<number, KindredVote[]>();
  for (const [user, word] of Object.entries(words)) {
    for (const [at, sign] of [...word].entries()) {
      if (sign !== ' ') votes.set(at, [...(votes.get(at) ?? []), vote(user, sign === '+')]);
    }
  }
  return votes;
};

const kinshipOf = (votes: Map<number, KindredVote[]>, memory: number, user: string): number =>
  borneOut(votes)
    .get(memory)
    ?.find((one) => one.user === user)?.kinship ?? Number.NaN;

const UNKNOWN = standingOf({ agreed: 0, contradicted: 0 });

describe('standing', () => {
  it('is a part of a full voice before any comparison, all of it where the others agree, none where they do not', () => {
    expect(UNKNOWN).toBeGreaterThan(0);
    expect(UNKNOWN).toBeLessThan(0.5);
    expect(standingOf({ agreed: 100, contradicted: 10 })).toBe(1);
    expect(standingOf({ agreed: 100, contradicted: 100 })).toBeLessThan(UNKNOWN);
    expect(standingOf({ agreed: 0, contradicted: 20 })).toBe(0);
  });

  it('rises with agreement and falls with contradiction', () => {
    const count = fc.double({ min: 0, max: 1_000, noNaN: true });
    fc.assert(
      fc.property(count, count, count, (agreed, contradicted, more) => {
        const now = standingOf({ agreed, contradicted });
        expect(standingOf({ agreed: agreed + more, contradicted })).toBeGreaterThanOrEqual(now);
        expect(standingOf({ agreed, contradicted: contradicted + more })).toBeLessThanOrEqual(now);
      }),
    );
  });
});

describe('votes of like questions', () => {
  const crowd = { ann: '+--------- ', bo: '+--------- ', cy: '+--------- ' };

  it('count in full where the others bear their voters out, and hardly where they contradict', () => {
    const votes = said({ ...crowd, foe: '-+++++++++ ' });
    expect(kinshipOf(votes, 0, 'ann')).toBeGreaterThan(3 * UNKNOWN);
    expect(kinshipOf(votes, 0, 'foe')).toBe(0);
  });

  it('of somebody whom nobody can be compared with count as of somebody unknown', () => {
    const votes = said({ ...crowd, new: '          +' });
    expect(kinshipOf(votes, 10, 'new')).toBeCloseTo(UNKNOWN, 12);
  });

  it('count for a memory by what was said of the others alone', () => {
    const alone = said({ ann: '+', foe: '-' });
    for (const user of ['ann', 'foe']) expect(kinshipOf(alone, 0, user)).toBeCloseTo(UNKNOWN, 12);
    const agreeing = kinshipOf(said({ ...crowd, dee: '+---------' }), 0, 'dee');
    const dissenting = kinshipOf(said({ ...crowd, dee: '----------' }), 0, 'dee');
    expect(dissenting).toBeCloseTo(agreeing, 12);
  });

  it('of one person say one thing, however many', () => {
    const votes = said(crowd);
    const many = new Map(votes).set(0, [...(votes.get(0) ?? []), vote('ann', true), vote('ann', true)]);
    expect(kinshipOf(many, 1, 'bo')).toBeCloseTo(kinshipOf(votes, 1, 'bo'), 12);
  });
});

describe('whoever is borne out', () => {
  const user = fc.constantFrom('ann', 'bo', 'cy', 'di');
  const anyVote = fc
    .record({ user, helpful: fc.boolean(), kinship: fc.double({ min: 0.01, max: 1, noNaN: true }) })
    .map((one): KindredVote => ({ ...vote(one.user, one.helpful), kinship: one.kinship }));
  const anyVotes = fc.array(fc.array(anyVote, { maxLength: 6 }), { minLength: 1, maxLength: 6 });
  const asMap = (votes: readonly (readonly KindredVote[])[]): Map<number, KindredVote[]> =>
    new Map(votes.map((own, at) => [at, [...own]]));
  const netOf = (votes: Map<number, KindredVote[]>, memory: number): number =>
    contextualEvidence(
      (borneOut(votes).get(memory) ?? []).map((one) => ({ ...one, cosine: one.kinship })),
      { tau: 0, cap: 1, nu: 0.5, lambda: 3 },
    ).net;

  it('never weighs more than a full voice, nor less than none, and does not depend on order', () => {
    fc.assert(
      fc.property(anyVotes, (given) => {
        const votes = asMap(given);
        const backwards = new Map([...votes].reverse().map(([id, own]) => [id, [...own].reverse()]));
        for (const [id, own] of borneOut(votes)) {
          const again = [...(borneOut(backwards).get(id) ?? [])].reverse();
          for (const [at, { kinship }] of own.entries()) {
            expect(kinship).toBeGreaterThanOrEqual(0);
            expect(kinship).toBeLessThanOrEqual((given[id]?.[at]?.kinship ?? 0) + 1e-12);
            expect(again[at]?.kinship).toBeCloseTo(kinship, 9);
          }
        }
      }),
    );
  });

  it('moves a memory by a vote the way of that vote, or not at all', () => {
    fc.assert(
      fc.property(anyVotes, anyVote, fc.nat(), (given, added, pick) => {
        const memory = pick % given.length;
        const before = netOf(asMap(given), memory);
        const after = netOf(asMap(given.map((own, at) => (at === memory ? [...own, added] : own))), memory);
        if (added.helpful) expect(after).toBeGreaterThanOrEqual(before - 1e-9);
        else expect(after).toBeLessThanOrEqual(before + 1e-9);
      }),
      { numRuns: 1_000 },
    );
  });
});
