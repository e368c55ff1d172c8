import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectDiverse } from './diversity.js';

const candidates = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1 }), score: fc.double({ min: 0, max: 1, noNaN: true }) }),
  {
    selector: ({ id }) => id,
    maxLength: 12,
  },
);
const unrelated = (): number => 0;

describe('a diverse selection', () => {
  it('puts a near copy of the first after something new', () => {
    const copies = (one: string, other: string): number => (one !== 'new' && other !== 'new' ? 0.99 : 0.1);
    const given = [
      { id: 'copy', score: 0.89 },
      { id: 'best', score: 0.9 },
      { id: 'new', score: 0.7 },
    ];
    expect(selectDiverse(given, copies, 0.7, 3)).toEqual(['best', 'new', 'copy']);
    expect(selectDiverse(given, copies, 1, 3)).toEqual(['best', 'copy', 'new']);
  });

  it('starts with the best score whatever lambda is', () => {
    const given = [
      { id: 'low', score: 0.1 },
      { id: 'high', score: 0.9 },
    ];
    expect(selectDiverse(given, unrelated, 0, 1)).toEqual(['high']);
  });

  it('breaks ties by score, then by id', () => {
    const given = ['c', 'a', 'b'].map((id) => ({ id, score: 0.5 }));
    expect(selectDiverse(given, unrelated, 0.7, 3)).toEqual(['a', 'b', 'c']);
    const mixed = [
      { id: 'a', score: 0.2 },
      { id: 'b', score: 0.4 },
      { id: 'c', score: 0.9 },
    ];
    expect(selectDiverse(mixed, () => 0.5, 0, 3)).toEqual(['c', 'b', 'a']);
  });

  it('never repeats, invents or loses a candidate, and does not depend on their order', () => {
    fc.assert(
      fc.property(
        candidates,
        fc.nat({ max: 14 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (given, limit, lambda) => {
          const similarity = (one: string, other: string): number => ((one.length * 7 + other.length * 7) % 10) / 10;
          const chosen = selectDiverse(given, similarity, lambda, limit);
          expect(new Set(chosen).size).toBe(Math.min(limit, given.length));
          expect(selectDiverse([...given].reverse(), similarity, lambda, limit)).toEqual(chosen);
        },
      ),
    );
  });
});
