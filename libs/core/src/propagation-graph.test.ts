import { describe, expect, it } from 'vitest';
import { drawEdges, NEAREST_NEIGHBOURS, SESSION_MATE_WEIGHT } from './propagation-graph.js';

/** A hub and its spokes, each a little less like it than the one before. */
const star = (spokes: number): { a: string; b: string; weight: number }[] =>
  Array.from({ length: spokes }, (_, index) => ({
    a: 'hub',
    b: `s${String(index).padStart(2, '0')}`,
    weight: 0.9 - index / 100,
  }));

describe('the edges of an audience', () => {
  it('keep pairs that either end counts among its nearest', () => {
    expect(drawEdges(star(15), [], 0.5)).toHaveLength(15);
  });

  it('drop pairs that neither end counts among its nearest', () => {
    const ring = (side: string): { a: string; b: string; weight: number }[] =>
      Array.from({ length: NEAREST_NEIGHBOURS }, (_, index) => ({ a: side, b: `${side}${index}`, weight: 0.95 }));
    const edges = drawEdges([...ring('a'), ...ring('b'), { a: 'a', b: 'b', weight: 0.9 }], [], 0.5);
    expect(edges).toHaveLength(2 * NEAREST_NEIGHBOURS);
    expect(edges).not.toContainEqual({ a: 'a', b: 'b', weight: 0.9 });
  });

  it('begin at the threshold', () => {
    const pairs = [
      { a: 'a', b: 'b', weight: 0.7 },
      { a: 'c', b: 'd', weight: 0.699 },
    ];
    expect(drawEdges(pairs, [], 0.7)).toEqual([{ a: 'a', b: 'b', weight: 0.7 }]);
  });

  it('join session mates whatever their words, and let the larger weight count', () => {
    const mates = [
      { a: 'b', b: 'a' },
      { a: 'd', b: 'c' },
      { a: 'e', b: 'e' },
    ];
    expect(drawEdges([{ a: 'a', b: 'b', weight: 0.97 }], mates, 0.5)).toEqual([
      { a: 'a', b: 'b', weight: 0.97 },
      { a: 'c', b: 'd', weight: SESSION_MATE_WEIGHT },
    ]);
  });

  it('count a pair once, by its best part', () => {
    const parts = [
      { a: 'a', b: 'b', weight: 0.6 },
      { a: 'b', b: 'a', weight: 0.8 },
    ];
    expect(drawEdges(parts, [], 0.5)).toEqual([{ a: 'a', b: 'b', weight: 0.8 }]);
  });
});
