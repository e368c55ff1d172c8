import { expect, it } from 'vitest';
import { daysBetween, utcDay } from './days.js';

it('counts days with fractions, and none backwards', () => {
  const [noon, midnight] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-01-03T00:00:00Z')];
  expect(daysBetween(noon, midnight)).toBe(1.5);
  expect(daysBetween(midnight, noon)).toBe(0);
});

it('begins a new day at midnight UTC', () => {
  const last = utcDay(new Date('2026-01-01T23:59:59.999Z'));
  expect(utcDay(new Date('2026-01-01T00:00:00Z'))).toBe(last);
  expect(utcDay(new Date('2026-01-02T00:00:00Z'))).toBe(last + 1);
});
