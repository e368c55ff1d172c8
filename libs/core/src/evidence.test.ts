import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CastVote,
  countVotes,
  evidence,
  evidenceFromVotes,
  type UserVotes,
  voteWeight,
  weighVotes,
} from './evidence.js';

const count = fc.nat({ max: 10_000 });
const row: fc.Arbitrary<UserVotes> = fc.record({
  helpful: count,
  unhelpful: count,
  authorOfShared: fc.boolean(),
  olderHelpful: count,
  olderUnhelpful: count,
});
const rows = fc.array(row, { maxLength: 8 });

const withOneMore = (votes: readonly UserVotes[], at: number, sign: 'helpful' | 'unhelpful'): UserVotes[] =>
  votes.map((vote, index) => (index === at % votes.length ? { ...vote, [sign]: vote[sign] + 1 } : vote));

describe('evidence', () => {
  it('is neutral without votes, and after as much praise as blame', () => {
    expect(evidenceFromVotes([])).toBe(0.5);
    fc.assert(
      fc.property(count, fc.boolean(), (n, authorOfShared) => {
        expect(evidenceFromVotes([{ helpful: n, unhelpful: n, authorOfShared }])).toBe(0.5);
      }),
    );
  });

  it('stays strictly between 0 and 1, whatever the votes', () => {
    fc.assert(fc.property(rows, (votes) => evidenceFromVotes(votes) > 0 && evidenceFromVotes(votes) < 1));
  });

  it('is never lowered by a helpful vote nor raised by an unhelpful one', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.nat(), (votes, at) => {
        const before = evidenceFromVotes(votes);
        const [praised, blamed] = [withOneMore(votes, at, 'helpful'), withOneMore(votes, at, 'unhelpful')];
        return evidenceFromVotes(praised) >= before && evidenceFromVotes(blamed) <= before;
      }),
      { numRuns: 5_000 },
    );
  });

  it('does not depend on the order of users', () => {
    fc.assert(
      fc.property(rows, (votes) => {
        expect(evidenceFromVotes([...votes].reverse())).toBeCloseTo(evidenceFromVotes(votes), 12);
      }),
    );
  });

  it('lets one person, however busy, weigh no more than three', () => {
    fc.assert(fc.property(count, count, (now, older) => voteWeight(now, older) <= 3));
    expect(evidenceFromVotes([{ helpful: 1_000_000, unhelpful: 0, authorOfShared: false }])).toBe(0.8);
  });

  it('is moved further by three people than by three votes of one', () => {
    const one = { helpful: 1, unhelpful: 0, authorOfShared: false };
    expect(evidenceFromVotes([one, one, one])).toBeGreaterThan(evidenceFromVotes([{ ...one, helpful: 3 }]));
  });
});

describe('the weight of votes', () => {
  it('is halved for authors of what others see, after the cap', () => {
    expect(weighVotes([{ helpful: 9, unhelpful: 1, authorOfShared: true }])).toEqual({ helpful: 1.5, unhelpful: 0.5 });
  });

  it('is halved for votes on a text that has changed since', () => {
    const old = { helpful: 0, unhelpful: 0, olderHelpful: 1, authorOfShared: false };
    expect(weighVotes([old]).helpful).toBe(0.5);
    expect(voteWeight(1, 1)).toBe(1.5);
    expect(voteWeight(7, 7)).toBe(3);
  });

  it('treats a count below zero as none', () => expect(voteWeight(-4)).toBe(0));

  it('gives the same evidence as its sums', () =>
    expect(evidence({ helpful: 1, unhelpful: 0 })).toBeCloseTo(2 / 3, 12));
});

describe('one voice a day', () => {
  const at = (day: number, hour = 0): Date => new Date(Date.UTC(2026, 10, 1 + day, hour));
  const cast = (day: number, hour: number, helpful: boolean, isOlder = false): CastVote => ({
    user: 'ann',
    id: `${day} ${hour}`,
    at: at(day, hour),
    helpful,
    isOlder,
  });
  const weigh = (votes: readonly CastVote[]): { helpful: number; unhelpful: number } =>
    weighVotes([countVotes(votes, false)]);

  it('makes thirty votes of a day weigh as one, and the last of them speak', () => {
    const morning = Array.from({ length: 23 }, (_, hour) => cast(0, hour, true));
    expect(weigh(morning)).toEqual({ helpful: 1, unhelpful: 0 });
    expect(weigh([cast(0, 23, false), ...morning])).toEqual({ helpful: 0, unhelpful: 1 });
    expect(weigh(morning.slice(0, 3).map((vote, day) => ({ ...vote, at: at(day) })))).toEqual({
      helpful: 2,
      unhelpful: 0,
    });
  });

  it('gives both signs of one person one cap, the last word first', () => {
    const many = (from: number, helpful: boolean): CastVote[] =>
      Array.from({ length: 20 }, (_, day) => cast(from + day, 0, helpful));
    expect(weigh([...many(0, true), ...many(20, false)])).toEqual({ helpful: 0, unhelpful: 3 });
    expect(weigh([...many(0, false), ...many(20, true)])).toEqual({ helpful: 3, unhelpful: 0 });
    expect(weigh([cast(0, 0, false), cast(1, 0, true)])).toEqual({ helpful: 1, unhelpful: 1 });
  });

  it('moves evidence a vote’s own way, whenever it is given', () => {
    const vote = fc.record({ day: fc.nat({ max: 12 }), hour: fc.nat({ max: 23 }), helpful: fc.boolean() });
    const moments = fc.uniqueArray(vote, { selector: ({ day, hour }) => day * 24 + hour, minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(moments, fc.nat({ max: 13 }), (given, newTextOn) => {
        const [added, ...before] = given.map(({ day, hour, helpful }) => cast(day, hour, helpful, day < newTextOn));
        if (added === undefined) return;
        const change = evidence(weigh([...before, added])) - evidence(weigh(before));
        if (added.helpful) expect(change).toBeGreaterThanOrEqual(-1e-12);
        else expect(change).toBeLessThanOrEqual(1e-12);
      }),
    );
  });
});
