import { describe, expect, it } from 'vitest';
import { dropKeys, type KeyKind, promoteKey, type RotationStep, stageKey } from './key-rotation.js';
import { type KeySet, publicJwks } from './key-set.js';
import { newKeySet } from './new-key-set.js';

const HOUR = 3_600_000;
const start = new Date('2026-11-30T03:00:00Z');
const fresh = newKeySet(start);

const step = (kind: KeyKind, hours: number, force = false): RotationStep => ({
  kind,
  now: new Date(start.getTime() + hours * HOUR),
  force,
  writtenAt: start,
});
/** Key ids by state, of one kind. */
const states = ({ keys }: KeySet, kind: KeyKind): Record<string, string[]> => {
  const found: Record<string, string[]> = {};
  for (const { kty, state, kid } of keys)
    if (kty === (kind === 'signing' ? 'EC' : 'oct')) found[state] = [...(found[state] ?? []), kid];
  return found;
};
const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? Reflect.get(error, 'code') : error;
  }
  return 'let through';
};

describe.each(['signing', 'hmac'] as const)('%s keys', (kind) => {
  const other = kind === 'signing' ? 'hmac' : 'signing';
  const keepHours = kind === 'signing' ? 0.25 : 31 * 24;
  const staged = kind === 'signing' ? fresh : stageKey(fresh, step(kind, 0));

  it('go from next to current to previous to gone, and leave the other kind alone', () => {
    const [old] = states(staged, kind)['current'] ?? [];
    const [next] = states(staged, kind)['next'] ?? [];
    const promoted = promoteKey(staged, step(kind, 24));
    expect(states(promoted, kind)).toEqual({ current: [next], previous: [old] });
    const dropped = dropKeys(promoted, step(kind, 24 + keepHours));
    expect(states(dropped, kind)).toEqual({ current: [next] });
    expect(states(dropped, other)).toEqual(states(fresh, other));
  });

  it('are published for a day before they are used, unless they are forced', () => {
    expect(refusal(() => promoteKey(staged, step(kind, 23.9)))).toBe('next-key-too-young');
    expect(states(promoteKey(staged, step(kind, 0, true)), kind)['previous']).toHaveLength(1);
  });

  it('are kept while something may carry them, unless they are forced', () => {
    const promoted = promoteKey(staged, step(kind, 24));
    expect(refusal(() => dropKeys(promoted, step(kind, 24 + keepHours * 0.99)))).toBe('previous-key-needed');
    expect(states(dropKeys(promoted, step(kind, 24, true)), kind)['previous']).toBeUndefined();
  });

  it('drop the old ones and keep the young, when several are previous', () => {
    const first = promoteKey(staged, step(kind, 24));
    const second = promoteKey(stageKey(first, step(kind, 24)), step(kind, 24 + keepHours, true));
    expect(states(second, kind)['previous']).toHaveLength(2);
    expect(states(dropKeys(second, step(kind, 24 + keepHours)), kind)['previous']).toHaveLength(1);
  });

  it('refuse a step that has nothing to act on, or has been done', () => {
    expect(refusal(() => stageKey(staged, step(kind, 1)))).toBe('next-key-exists');
    expect(refusal(() => dropKeys(staged, step(kind, 1)))).toBe('no-previous-key');
    expect(refusal(() => promoteKey(promoteKey(staged, step(kind, 24)), step(kind, 48)))).toBe('no-next-key');
  });

  it('count the age of a key without a date from when its file was written', () => {
    const undated: KeySet = { keys: staged.keys.map(({ since: _since, ...key }) => key) };
    expect(refusal(() => promoteKey(undated, step(kind, 23)))).toBe('next-key-too-young');
    expect(refusal(() => promoteKey(undated, step(kind, 24)))).toBe('let through');
  });
});

it('publish next, current and previous, and nothing of when', () => {
  const keys = publicJwks(promoteKey(stageKey(fresh, step('hmac', 0)), step('signing', 24))).keys;
  expect(keys.map((key) => Object.keys(key).sort())).toEqual(
    Array.from({ length: 2 }, () => ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']),
  );
});
