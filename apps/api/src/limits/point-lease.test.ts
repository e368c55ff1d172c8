import { expect, it } from 'vitest';
import { PointLease } from './point-lease.js';

const LIMIT = 60_000;

it('asks for a second’s worth ahead once it knows the limit, and spends it without asking', () => {
  const lease = new PointLease();
  expect(lease.asking(10, 0)).toEqual({ need: 10, want: 10 });
  lease.learn({ points: 10, debtMs: 10, pointsPerMinute: LIMIT }, 0);
  lease.use(10);
  expect(lease.asking(10, 0)).toEqual({ need: 10, want: 1_000 });
  lease.learn({ points: 1_000, debtMs: 1_010, pointsPerMinute: LIMIT }, 0);
  for (let i = 0; i < 100; i += 1) {
    expect(lease.has(10, 9_999)).toBe(true);
    lease.use(10);
  }
  expect(lease.has(10, 9_999)).toBe(false);
});

it('loses what it took ahead after ten seconds', () => {
  const lease = new PointLease();
  lease.learn({ points: 1_000, debtMs: 1_000, pointsPerMinute: LIMIT }, 0);
  expect(lease.has(1, 9_999)).toBe(true);
  expect(lease.has(1, 10_000)).toBe(false);
  expect(lease.asking(5, 10_000).need).toBe(5);
});

it('foresees a refusal without asking, and only one that is certain', () => {
  const lease = new PointLease();
  lease.learn({ points: 0, debtMs: 60_000, pointsPerMinute: LIMIT }, 0);
  // The bucket is empty: 100 points come back in 100 ms.
  expect(lease.waitMs(100, 0)).toBe(100);
  expect(lease.waitMs(100, 60)).toBe(40);
  expect(lease.waitMs(100, 100)).toBe(0);
  expect(new PointLease().waitMs(5_000, 0)).toBe(0);
});
