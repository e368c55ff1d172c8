import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Edge } from './propagation-graph.js';
import { borrowAtOnce, learningShare, lent, propagate, type PropagationNode } from './propagation.js';

const SETTINGS = { gamma: 0.9, maxDepth: 2, sourceThreshold: 0.5, minRetrievals: 2, minEdge: 0.5 };
const ALPHA = 0.1;

const source = (id: string, earned: number): PropagationNode => ({
  id,
  evidence: 0.8,
  earned,
  propagated: 0,
  alpha: 1,
  helpfulVotes: 1,
  askedRetrievals: 2,
});
const plain = (id: string, propagated = 0): PropagationNode => ({
  ...source(id, 0),
  evidence: 0.5,
  helpfulVotes: 0,
  propagated,
  alpha: learningShare(propagated, ALPHA, 1),
});

const ids = Array.from({ length: 12 }, (_, index) => `m${String(index).padStart(2, '0')}`);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const nodes: fc.Arbitrary<PropagationNode[]> = fc
  .array(fc.tuple(share, share, share, fc.nat({ max: 2 }), fc.nat({ max: 4 })), { minLength: 12, maxLength: 12 })
  .map((rows) =>
    rows.map(([evidence, earned, propagated, helpfulVotes, askedRetrievals], index) => ({
      id: ids[index] ?? '',
      evidence,
      earned,
      propagated,
      alpha: learningShare(propagated, ALPHA, 1),
      helpfulVotes,
      askedRetrievals,
    })),
  );
const edges: fc.Arbitrary<Edge[]> = fc.array(
  fc.record({ a: fc.constantFrom(...ids), b: fc.constantFrom(...ids), weight: share }),
  { maxLength: 40 },
);

/** The nodes as the next run finds them, so many days later. */
const after = (given: readonly PropagationNode[], links: readonly Edge[], days: number): PropagationNode[] => {
  const { loans } = propagate(given, links, SETTINGS);
  return given.map((node) => {
    const propagated = loans.get(node.id)?.propagated ?? 0;
    return { ...node, propagated, alpha: learningShare(propagated, ALPHA, days) };
  });
};

describe('propagation', () => {
  it('raises what is like a source nobody voted on, less with each hop, and not beyond the depth', () => {
    const chain = [source('a', 0.8), plain('b'), plain('c'), plain('d')];
    const links = ['ab', 'bc', 'cd'].map(([a = '', b = '']) => ({ a, b, weight: 0.9 }));
    const { loans, hops, sources } = propagate(chain, links, SETTINGS);
    expect(sources).toEqual(['a']);
    expect(hops).toBe(2);
    expect(loans.get('b')?.propagated).toBeCloseTo(0.8 * 0.81, 12);
    expect(loans.get('c')?.propagated).toBeCloseTo(0.8 * 0.81 ** 2, 12);
    expect(loans.get('d')).toEqual({ propagated: 0, reached: 0 });
  });

  it('does not depend on the order of memories or edges', () => {
    fc.assert(
      fc.property(nodes, edges, (given, links) => {
        const straight = propagate(given, links, SETTINGS);
        const turned = propagate(
          [...given].reverse(),
          [...links].reverse().map(({ a, b, weight }) => ({ a: b, b: a, weight })),
          SETTINGS,
        );
        expect(turned.sources).toEqual(straight.sources);
        expect(turned.hops).toBe(straight.hops);
        for (const [id, loan] of straight.loans) expect(turned.loans.get(id)).toEqual(loan);
      }),
      { numRuns: 5_000 },
    );
  });

  it('changes nothing when it runs twice on one day', () => {
    fc.assert(
      fc.property(nodes, edges, (given, links) => {
        const again = propagate(after(given, links, 0), links, SETTINGS);
        expect(again.touched).toBe(0);
        expect(again.residual).toBe(0);
        expect(again.converged).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('converges: with the same sources every night, p arrives at q', () => {
    fc.assert(
      fc.property(nodes, edges, (given, links) => {
        let night = given;
        for (let run = 0; run < 120; run += 1) night = after(night, links, 1);
        const { converged, loans } = propagate(night, links, SETTINGS);
        expect(converged).toBe(true);
        for (const { propagated, reached } of loans.values()) expect(Math.abs(propagated - reached)).toBeLessThan(0.01);
      }),
      { numRuns: 5_000 },
    );
  });

  it('does not feed on itself: what was lent before changes nothing of what is lent now', () => {
    fc.assert(
      fc.property(nodes, edges, (given, links) => {
        const reachedOf = (all: readonly PropagationNode[]): number[] =>
          [...propagate(all, links, SETTINGS).loans.values()].map(({ reached }) => reached);
        expect(reachedOf(given.map((node) => ({ ...node, propagated: 1, alpha: 0.1 })))).toEqual(reachedOf(given));
      }),
      { numRuns: 5_000 },
    );
  });

  it('lends nothing beyond what the best source earned', () => {
    fc.assert(
      fc.property(nodes, edges, (given, links) => {
        const { sources, loans } = propagate(given, links, SETTINGS);
        const most = Math.max(0, ...given.filter(({ id }) => sources.includes(id)).map(({ earned }) => earned));
        for (const { reached } of loans.values()) expect(reached).toBeLessThanOrEqual(most);
      }),
    );
  });

  it.each<[string, Partial<PropagationNode>]>([
    ['no helpful vote of someone else', { helpfulVotes: 0 }],
    ['evidence at the threshold', { evidence: 0.5 }],
    ['one asked retrieval', { askedRetrievals: 1 }],
  ])('does not lend from a memory with %s', (_, lack) => {
    const given = [{ ...source('a', 0.8), ...lack }, plain('b')];
    const result = propagate(given, [{ a: 'a', b: 'b', weight: 0.9 }], SETTINGS);
    expect(result.sources).toEqual([]);
    expect(result.loans.get('b')?.propagated).toBe(0);
  });

  it('carries nothing over an edge below the threshold or to a memory that is gone', () => {
    const links = [
      { a: 'a', b: 'b', weight: 0.499 },
      { a: 'a', b: 'gone', weight: 0.9 },
    ];
    const { loans } = propagate([source('a', 0.8), plain('b')], links, SETTINGS);
    expect([...loans.keys()]).toEqual(['a', 'b']);
    expect(loans.get('b')?.reached).toBe(0);
  });

  it('takes a loan back in one night when its source falls, and forgets what is left under a thousandth', () => {
    const alone = propagate([plain('b', 0.6), plain('c', 0.001)], [], SETTINGS);
    const { propagated, reached } = alone.loans.get('b') ?? { propagated: -1, reached: -1 };
    expect(propagated).toBeCloseTo(0.54, 12);
    expect(lent(propagated, reached)).toBe(0);
    expect(alone.loans.get('c')?.propagated).toBe(0);
  });
});

describe('the share a run moves', () => {
  it('makes up for nights that were missed', () => {
    const [once, missed] = [1 - learningShare(0.5, ALPHA, 1), 1 - learningShare(0.5, ALPHA, 3)];
    expect(missed).toBeCloseTo(once ** 3, 12);
  });

  it('is nothing on the same day, and everything where nothing was lent yet', () => {
    expect(learningShare(0.5, ALPHA, 0)).toBe(0);
    expect(learningShare(0, ALPHA, 0)).toBe(1);
    expect(learningShare(0.5, ALPHA, null)).toBe(1);
  });
});

describe('borrowing at once', () => {
  const NOTHING = { propagated: 0, reached: 0 };

  it('takes the best offer of what sources earned themselves, and only raises', () => {
    const around = [
      { weight: 0.9, node: source('a', 0.5) },
      { weight: 0.6, node: source('b', 0.6) },
      { weight: 1, node: { ...source('c', 1), helpfulVotes: 0 } },
      { weight: 0.4, node: source('below the edge', 1) },
    ];
    expect(borrowAtOnce({ propagated: 0, reached: 0.7 }, around, SETTINGS)).toEqual({
      propagated: 0.9 * 0.9 * 0.5,
      reached: 0.7,
    });
    expect(borrowAtOnce({ propagated: 0.2, reached: 0.2 }, [], SETTINGS)).toEqual({ propagated: 0.2, reached: 0.2 });
    expect(borrowAtOnce(NOTHING, around, { ...SETTINGS, maxDepth: 0 })).toEqual(NOTHING);
    expect(borrowAtOnce(NOTHING, [{ weight: 1, node: source('a', 0.0011) }], SETTINGS)).toEqual(NOTHING);
  });

  it('is what the night gives over one hop, whatever lies around', () => {
    const weight = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(nodes, fc.array(weight, { minLength: 12, maxLength: 12 }), (given, weights) => {
        const links = given.map(({ id }, index) => ({ a: 'new', b: id, weight: weights[index] ?? 0 }));
        const night = propagate([plain('new'), ...given], links, { ...SETTINGS, maxDepth: 1 });
        const around = given.map((node, index) => ({ weight: weights[index] ?? 0, node }));
        const { propagated = -1, reached = -1 } = night.loans.get('new') ?? {};
        const atOnce = borrowAtOnce(NOTHING, around, SETTINGS);
        return atOnce.propagated === propagated && atOnce.reached === (reached < 0.001 ? 0 : reached);
      }),
      { numRuns: 5_000 },
    );
  });

  it('changes nothing of what the night ends with where no run has lent, and else never lowers it', () => {
    fc.assert(
      fc.property(nodes, edges, fc.array(share), (given, links, raises) => {
        const alone = propagate(given, links, SETTINGS);
        const raised = given.map((node, index) => {
          const p = Math.max(node.propagated, raises[index] ?? 0);
          const days = node.propagated < 0.001 ? null : 1;
          return { ...node, propagated: p, alpha: learningShare(p, ALPHA, days) };
        });
        const after = propagate(raised, links, SETTINGS);
        for (const node of given) {
          const [one, other] = [alone.loans.get(node.id) ?? NOTHING, after.loans.get(node.id) ?? NOTHING];
          expect(other.reached).toBe(one.reached);
          if (node.propagated < 0.001) expect(other).toEqual(one);
          else expect(lent(other.propagated, other.reached)).toBeGreaterThanOrEqual(lent(one.propagated, one.reached));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
