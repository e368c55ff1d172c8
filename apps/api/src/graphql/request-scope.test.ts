import { expect, it } from 'vitest';
import { requestIdFrom } from './request-scope.js';

it('takes an id that may stand in a log, and makes one otherwise', () => {
  const fresh = (): string => 'fresh';
  expect(requestIdFrom('a1b2-c3d4', fresh)).toBe('a1b2-c3d4');
  for (const header of [
    undefined,
    '',
    'short',
    'x'.repeat(65),
    'new\nline-in-it',
    '{"level":60}',
    'tmem_pat_x',
    ['a1b2-c3d4'],
  ]) {
    expect(requestIdFrom(header, fresh)).toBe('fresh');
  }
});
