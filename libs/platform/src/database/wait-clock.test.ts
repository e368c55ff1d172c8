import { expect, it } from 'vitest';
import { WaitClock } from './wait-clock.js';

it('counts waits one after the other, and those beside each other once', () => {
  let now = 0;
  const clock = new WaitClock(() => now);
  const first = clock.begin();
  now = 300;
  expect(clock.left(1_000)).toBe(700);
  first();
  first();
  now = 900;
  expect(clock.left(1_000)).toBe(700);
  const [one, other] = [clock.begin(), clock.begin()];
  now = 1_100;
  one();
  expect(clock.left(1_000)).toBe(500);
  now = 1_200;
  other();
  expect(clock.left(1_000)).toBe(400);
  expect(clock.left(100)).toBe(0);
});
