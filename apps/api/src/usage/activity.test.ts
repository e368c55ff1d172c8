import { asId, type UserId } from '@tempera/core';
import type { DayRecord } from '@tempera/platform';
import { expect, it } from 'vitest';
import { activityByDay, activityOf, byUser } from './activity.js';

const [ana, ben] = [asId<UserId>('ana'), asId<UserId>('ben')];
const ROWS: DayRecord[] = [
  { userId: ana, day: '2026-01-31', measure: 'captures', amount: 2 },
  { userId: ben, day: '2026-01-31', measure: 'captures', amount: 3 },
  { userId: ana, day: '2026-02-01', measure: 'points', amount: 10 },
];

it('adds up, by day and by person', () => {
  expect(activityOf(ROWS)).toEqual({ captures: 5, retrievals: 0, embeddings: 0, points: 10 });
  expect(activityByDay(ROWS).map(({ day, captures }) => [day, captures])).toEqual([
    ['2026-02-01', 0],
    ['2026-01-31', 5],
  ]);
  expect(byUser(ROWS).get(ana)).toHaveLength(2);
});
