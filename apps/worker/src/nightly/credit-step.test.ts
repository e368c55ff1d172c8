import { asId, type Audience, type ProjectId, type SessionId, type UserId } from '@tempera/core';
import { describe, expect, it } from 'vitest';
import { creditsOf } from './credit-step.js';

const audience = (scope: Audience['scope']): Audience => ({
  scope,
  ownerId: asId<UserId>('ann'),
  projectId: asId<ProjectId>('p1'),
  groupId: null,
});

const minute = (count: number): Date => new Date(Date.UTC(2026, 10, 2, 12, count));

const episode = (id: string, endedAtMinute: number, scope: Audience['scope'] = 'project') => ({
  id,
  sessionId: asId<SessionId>('s1'),
  startedAt: minute(endedAtMinute),
  endedAt: minute(endedAtMinute),
  audience: audience(scope),
});

const rates = { alpha: 0.1, gamma: 0.9 };

describe('credits of a success', () => {
  it('go to the four latest episodes before it, less to each', () => {
    const success = { ...episode('s', 50), stands: true };
    const before = [1, 2, 3, 4, 5].map((end) => ({ ...episode(`e${end}`, end), successId: 's' }));

    const credits = creditsOf([success], before, 1, rates);

    expect(credits.map(({ receiverId, rank }) => [receiverId, rank])).toEqual([
      ['e5', 1],
      ['e4', 2],
      ['e3', 3],
      ['e2', 4],
    ]);
    expect(credits[0]?.amount).toBeCloseTo(0.072, 12);
    expect(credits[3]?.amount).toBeCloseTo(0.018, 12);
  });

  it('leave out who is seen by others than the success is, and a hidden episode keeps its place', () => {
    const success = { ...episode('s', 50, 'private'), stands: true };
    const before = [episode('own', 3, 'private'), episode('shared', 4), episode('old', 1, 'private')].map((each) => ({
      ...each,
      successId: 's',
    }));

    expect(creditsOf([success], before, 1, rates).map(({ receiverId, rank }) => [receiverId, rank])).toEqual([
      ['own', 2],
      ['old', 3],
    ]);
  });

  it('go to the episodes of their own success only', () => {
    const successes = [
      { ...episode('s1', 50), stands: true },
      { ...episode('s2', 50), stands: true },
    ];

    const credits = creditsOf(successes, [{ ...episode('e', 1), successId: 's2' }], 1, rates);

    expect(credits.map(({ successId }) => successId)).toEqual(['s2']);
  });
});
