import { expect, it } from 'vitest';
import { ShortMemory } from './short-memory.js';

const counting = (): { ask: () => Promise<number>; asked: () => number } => {
  let count = 0;
  return { ask: () => Promise.resolve((count += 1)), asked: () => count };
};

it('asks again once the time is over, and not before', async () => {
  let now = 0;
  const memory = new ShortMemory<number>({ now: () => new Date(now) }, 5_000, 10);
  const { ask, asked } = counting();
  await memory.get('a', ask);
  now = 4_999;
  await memory.get('a', ask);
  expect(asked()).toBe(1);
  now = 5_000;
  await memory.get('a', ask);
  expect(asked()).toBe(2);
});

it('keeps no failure', async () => {
  const memory = new ShortMemory<number>({ now: () => new Date(0) }, 5_000, 10);
  await expect(memory.get('a', () => Promise.reject(new Error('out')))).rejects.toThrow('out');
  expect(await memory.get('a', () => Promise.resolve(1))).toBe(1);
});

it('holds no more than its capacity, and forgets the oldest first', async () => {
  const memory = new ShortMemory<number>({ now: () => new Date(0) }, 5_000, 2);
  const { ask, asked } = counting();
  for (const key of ['a', 'b', 'c']) await memory.get(key, ask);
  await memory.get('c', ask);
  expect(asked()).toBe(3);
  await memory.get('a', ask);
  expect(asked()).toBe(4);
});
