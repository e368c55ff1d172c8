import { expect, it } from 'vitest';
import { daysBetween } from './days.js';

it('counts days with fractions, and none backwards', () => {
  const [noon, midnight] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-01-03T00:00:00Z')];
  expect(daysBetween(noon, midnight)).toBe(1.5);
  expect(daysBetween(midnight, noon)).toBe(0);
});
