import type { UserId } from '@tempera/core';
import type { DayRecord } from '@tempera/platform';
import type { Activity, ActivityOfDay } from './usage.types.js';

/** Adds up what was done. */
export const activityOf = (rows: readonly DayRecord[]): Activity => {
  const sum: Activity = { captures: 0, retrievals: 0, embeddings: 0, points: 0 };
  for (const { measure, amount } of rows) sum[measure] += amount;
  return sum;
};

/** By day, newest first. */
export const activityByDay = (rows: readonly DayRecord[]): ActivityOfDay[] => {
  const days = [...new Set(rows.map(({ day }) => day))].sort().reverse();
  return days.map((day) => ({ day, ...activityOf(rows.filter((row) => row.day === day)) }));
};

/** By person. */
export const byUser = (rows: readonly DayRecord[]): Map<UserId, DayRecord[]> => {
  const people = new Map<UserId, DayRecord[]>();
  for (const row of rows) people.set(row.userId, [...(people.get(row.userId) ?? []), row]);
  return people;
};
