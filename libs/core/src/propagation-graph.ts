/** Which memories are near enough to lend to each other (docs/design.md, "Propagation"). */

/** How many nearest neighbours a memory may choose; it may be chosen by more. */
export const NEAREST_NEIGHBOURS = 10;
/** Captures of one session belong together whatever their words. */
export const SESSION_MATE_WEIGHT = 0.9;

/** Two memories of one audience that lend to each other; undirected. */
export interface Edge<Id extends string = string> {
  readonly a: Id;
  readonly b: Id;
  /** Cosine, or {@link SESSION_MATE_WEIGHT}; 0..1. */
  readonly weight: number;
}

/**
 * The edges of one audience: pairs at or above the threshold where either is among the other's nearest, and session
 * mates; of several edges between two memories the larger weight counts.
 * @param similar pairs with their best cosine over parts and encoders
 * @param mates pairs of one session; their weight is not read
 */
export const drawEdges = <Id extends string>(
  similar: readonly Edge<Id>[],
  mates: readonly Pick<Edge<Id>, 'a' | 'b'>[],
  minEdge: number,
): Edge<Id>[] => {
  const pairs = [...strongest(similar.filter(({ weight }) => weight >= minEdge)).values()];
  const chosen = nearest(pairs);
  const near = pairs.filter((pair) => chosen.has(pair));
  const together = mates.map(({ a, b }) => ({ a, b, weight: SESSION_MATE_WEIGHT }));
  return [...strongest([...near, ...together]).values()].sort(byEnds);
};

const strongest = <Id extends string>(edges: readonly Edge<Id>[]): Map<string, Edge<Id>> => {
  const best = new Map<string, Edge<Id>>();
  for (const edge of edges) {
    if (edge.a === edge.b) continue;
    const [a, b] = edge.a < edge.b ? [edge.a, edge.b] : [edge.b, edge.a];
    const key = JSON.stringify([a, b]);
    const known = best.get(key);
    if (known === undefined || known.weight < edge.weight) best.set(key, { a, b, weight: edge.weight });
  }
  return best;
};

/** The pairs that at least one end counts among its nearest; ties by the other end's id. */
const nearest = <Id extends string>(pairs: readonly Edge<Id>[]): ReadonlySet<Edge<Id>> => {
  const around = new Map<Id, Edge<Id>[]>();
  for (const pair of pairs) {
    for (const end of [pair.a, pair.b]) {
      const known = around.get(end);
      if (known === undefined) around.set(end, [pair]);
      else known.push(pair);
    }
  }
  const chosen = new Set<Edge<Id>>();
  for (const mine of around.values()) {
    mine.sort((one, other) => other.weight - one.weight || byEnds(one, other));
    for (const pair of mine.slice(0, NEAREST_NEIGHBOURS)) chosen.add(pair);
  }
  return chosen;
};

const byEnds = (one: Edge, other: Edge): number => compare(one.a, other.a) || compare(one.b, other.b);

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
