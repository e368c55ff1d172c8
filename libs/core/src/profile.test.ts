import { describe, expect, it } from 'vitest';
import { chooseProfile, MAX_PROFILE_LINES, type ProfileCandidate } from './profile.js';

const make = (id: string, more: Partial<ProfileCandidate> = {}): ProfileCandidate => ({
  ...{ id, kind: 'background', pinned: false, utility: 0.5, helpfulOthers: 0, endedAt: new Date('2026-11-01') },
  ...more,
});

describe('a profile', () => {
  it('tells pins first and facts by what they are worth, then how new they are; the order they come in does not matter', () => {
    const all = [
      make('a', { kind: 'preference', utility: 0.4 }),
      make('b', { kind: 'preference', utility: 0.9 }),
      make('c', { kind: 'preference', utility: 0.4, endedAt: new Date('2026-11-02') }),
      make('d', { kind: 'todo', pinned: true }),
      make('e', { kind: 'correction' }),
    ];
    const told = [
      { id: 'd', part: 'pinned' },
      ...['b', 'c', 'a'].map((id) => ({ id, part: 'preference' })),
      { id: 'e', part: 'correction' },
    ];
    expect(chooseProfile('user', all)).toEqual(told);
    expect(chooseProfile('user', [...all].reverse())).toEqual(told);
  });

  it('of a project tells what helped others too; of a person it does not, and of neither what is open or asked', () => {
    const all = [
      make('a', { kind: 'episode', helpfulOthers: 2 }),
      make('b', { kind: 'episode' }),
      make('c', { kind: 'todo' }),
      make('d', { kind: 'question' }),
    ];
    expect(chooseProfile('project', all)).toEqual([{ id: 'a', part: 'helped' }]);
    expect(chooseProfile('user', all)).toEqual([]);
  });

  it('has so many lines and no more, and no part crowds out another', () => {
    const many = Array.from({ length: 100 }, (_, n) => make(`x${n}`, { kind: 'background', utility: 0.9 }));
    const chosen = chooseProfile('project', [...many, make('low', { kind: 'decision', utility: 0.1 })]);
    expect(chosen).toHaveLength(MAX_PROFILE_LINES);
    expect(chosen[0]).toEqual({ id: 'low', part: 'decision' });
  });
});
