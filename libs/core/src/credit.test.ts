import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credit, creditOfRank, creditReceivers, MAX_CREDIT, type EpisodeSpan } from './credit.js';
import { asId, type SessionId } from './memory.js';

const RATES = { alpha: 0.1, gamma: 0.9 };
const NOON = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;
const SESSION = asId<SessionId>('s1');

/** An episode captured at a minute after noon, begun at another. */
const episode = (id: string, endMinute: number, more: { start?: number; session?: SessionId } = {}): EpisodeSpan => ({
  id,
  sessionId: more.session ?? null,
  startedAt: new Date(NOON + (more.start ?? endMinute) * MINUTE),
  endedAt: new Date(NOON + endMinute * MINUTE),
});

describe('credit', () => {
  it('falls with each step back and ends after the fourth', () => {
    expect([1, 2, 3, 4, 5, 6, 0].map((rank) => creditOfRank(rank, RATES) > 0)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(creditOfRank(1, RATES)).toBeGreaterThan(creditOfRank(2, RATES));
  });

  it('never exceeds its cap and never falls by one more success', () => {
    const ranks = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 40 });
    fc.assert(
      fc.property(ranks, fc.integer({ min: 1, max: 8 }), (known, rank) => {
        const before = credit(known, RATES);
        expect(before).toBeGreaterThanOrEqual(0);
        expect(before).toBeLessThanOrEqual(MAX_CREDIT);
        expect(credit([...known, rank], RATES)).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

describe('who shares in a success', () => {
  const success = episode('success', 300, { start: 240, session: SESSION });
  const ranked = (...episodes: EpisodeSpan[]): string[] =>
    creditReceivers(success, episodes, 1).map(({ id, rank }) => `${rank} ${id}`);

  it('is the same session however long ago, and others that ended within the window before it began', () => {
    expect(ranked(episode('a', 10, { session: SESSION }), episode('b', 200), episode('c', 179))).toEqual([
      '1 b',
      '2 a',
    ]);
  });

  it('takes in both ends of the window', () => {
    expect(ranked(episode('start', 240), episode('hour', 180))).toEqual(['1 start', '2 hour']);
  });

  it('is not what ran at the same time in another session, nor what came later, nor itself', () => {
    expect(ranked(episode('beside', 250), episode('later', 400, { session: SESSION }), success)).toEqual([]);
  });

  it('has no session in common with what has none', () => {
    const alone = { ...success, sessionId: null };
    expect(creditReceivers(alone, [episode('old', 10)], 1)).toEqual([]);
  });

  it('is at most four, latest end first, then by id', () => {
    expect(ranked(...['e', 'b', 'd', 'a', 'c'].map((id) => episode(id, 200)), episode('z', 210))).toEqual([
      '1 z',
      '2 a',
      '3 b',
      '4 c',
    ]);
  });
});
