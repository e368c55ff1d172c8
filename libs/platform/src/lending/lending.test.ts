import { type Edge, isSource, propagate, SESSION_MATE_WEIGHT } from '@tempera/core';
import type { NeighbourLink, SnapshotNode } from '../database/repositories/propagation.repository.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GraphReader, workOutLending } from './lending.js';
import type { LendingSettings } from './lending-graph.js';
import { audienceOf, circleOf, toNode } from './snapshot-node.js';

interface World {
  readonly rows: readonly SnapshotNode[];
  readonly links: readonly NeighbourLink[];
}

const settingsAt = (maxDepth: number): LendingSettings => ({
  gamma: 0.9,
  alpha: 0.1,
  maxDepth,
  sourceThreshold: 0.5,
  minRetrievals: 2,
  minEdge: 0,
});

const rowArbitrary = (index: number): fc.Arbitrary<SnapshotNode> =>
  fc.record({
    id: fc.constant(`m${String(index).padStart(2, '0')}`),
    evidence: fc.double({ min: 0.3, max: 0.95, noNaN: true }),
    earned: fc.double({ min: 0, max: 1, noNaN: true }),
    propagated: fc.constantFrom(0, 0.0005, 0.2, 0.6),
    daysSincePropagated: fc.constantFrom(null, 0, 1, 5),
    helpfulVotes: fc.integer({ min: 0, max: 2 }),
    askedRetrievals: fc.integer({ min: 1, max: 3 }),
    scope: fc.constantFrom('private', 'project', 'group', 'tenant'),
    ownerId: fc.constantFrom('ann', 'ben'),
    projectId: fc.constantFrom('p1', 'p2'),
    groupId: fc.constantFrom('g1', 'g2'),
    sessionId: fc.constantFrom(null, 's1', 's2'),
  });

const worldArbitrary: fc.Arbitrary<World> = fc.integer({ min: 1, max: 14 }).chain((size) =>
  fc.record({
    rows: fc.tuple(...Array.from({ length: size }, (_, index) => rowArbitrary(index))),
    links: fc
      .array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.double({ min: 0.4, max: 1, noNaN: true })), {
        maxLength: 40,
      })
      .map((links) =>
        links
          .filter(([a, b]) => a !== b)
          .map(([a, b, weight]) => ({
            a: `m${String(a).padStart(2, '0')}`,
            b: `m${String(b).padStart(2, '0')}`,
            weight,
          })),
      ),
  }),
);

const readerOf = ({ rows, links }: World): GraphReader => {
  const known = new Map(rows.map((row) => [row.id, row]));
  return {
    sources: async () => rows.filter((row) => row.helpfulVotes > 0 && row.evidence > 0.5),
    nodes: async (ids) => ids.flatMap((id) => known.get(id) ?? []),
    links: async (ids) => links.filter(({ a, b }) => ids.includes(a) || ids.includes(b)),
    members: async (sessions) =>
      rows.filter(({ sessionId }) => sessionId !== null && sessions.includes(sessionId)).map(({ id }) => id),
  };
};

/** Every edge of the whole graph, mates joined pair by pair. */
const allEdges = ({ rows, links }: World): Edge[] => {
  const known = new Map(rows.map((row) => [row.id, row]));
  const near = links.filter(({ a, b }) => {
    const [one, other] = [known.get(a), known.get(b)];
    return one !== undefined && other !== undefined && audienceOf(one) === audienceOf(other);
  });
  const mates = rows.flatMap((one) =>
    rows
      .filter((other) => one.id < other.id && circleOf(one) !== null && circleOf(one) === circleOf(other))
      .map((other) => ({ a: one.id, b: other.id, weight: SESSION_MATE_WEIGHT })),
  );
  return [...near, ...mates];
};

describe('lending', () => {
  it('reads a part of the graph, and lends exactly what core lends over the whole of it', async () => {
    await fc.assert(
      fc.asyncProperty(worldArbitrary, fc.integer({ min: 0, max: 4 }), async (world, maxDepth) => {
        const settings = settingsAt(maxDepth);
        const whole = propagate(
          world.rows.map((row) => toNode(row, settings.alpha)),
          allEdges(world),
          settings,
        );

        const lending = await workOutLending(readerOf(world), settings);

        expect(lending.hops).toBe(whole.hops);
        for (const row of world.rows) {
          const { propagated, reached } = lending.to(row);
          expect({ propagated, reached }).toEqual(whole.loans.get(row.id));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('names a source that alone would lend as much', async () => {
    await fc.assert(
      fc.asyncProperty(worldArbitrary, async (world) => {
        const settings = settingsAt(2);
        const lending = await workOutLending(readerOf(world), settings);
        const nodes = world.rows.map((row) => toNode(row, settings.alpha));
        for (const row of world.rows) {
          const { reached, from } = lending.to(row);
          if (from === null) continue;
          const only = nodes.map((node) => (node.id === from ? node : { ...node, helpfulVotes: 0 }));
          expect(propagate(only, allEdges(world), settings).loans.get(row.id)?.reached).toBe(reached);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('names nobody where a source keeps what it earned itself, which changes no loan, or where nothing arrives', async () => {
    await fc.assert(
      fc.asyncProperty(worldArbitrary, async (world) => {
        const settings = settingsAt(2);
        const lending = await workOutLending(readerOf(world), settings);
        for (const row of world.rows) {
          const loan = lending.to(row);
          const lends = isSource(toNode(row, settings.alpha), settings);
          expect(loan.from === null).toBe(loan.reached === (lends ? row.earned : 0));
          // What a source keeps is no loan, however much of it is new; what others lend it is.
          const change = Math.abs(loan.propagated - row.propagated);
          expect(lending.changeOf(row, loan)).toBe(loan.from === null && lends ? 0 : change);
        }
      }),
      { numRuns: 300 },
    );
  });
});
