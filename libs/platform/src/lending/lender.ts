import type { Edge } from '@tempera/core';
import { reachedIn, type Round } from './lending-graph.js';

/** Who is joined to whom, and how strongly. */
export type Around = ReadonlyMap<string, readonly (readonly [id: string, weight: number])[]>;

/** Edges by either end. */
export const aroundEach = (edges: readonly Edge[]): Around => {
  const around = new Map<string, [string, number][]>();
  const join = (from: string, to: string, weight: number): void => {
    const known = around.get(from);
    if (known === undefined) around.set(from, [[to, weight]]);
    else known.push([to, weight]);
  };
  for (const { a, b, weight } of edges) {
    join(a, b, weight);
    join(b, a, weight);
  }
  return around;
};

/**
 * The source that lends most to a memory: what reached it, followed back round by round; of equals, the least id.
 * @param rounds from the sources' own (0 hops) to the last
 * @returns the memory itself where it is a source and nobody lends it more than it earned
 */
export const lenderTo = (id: string, rounds: readonly Round[], around: Around): string => {
  let at = id;
  for (let hops = rounds.length - 1; hops > 0; hops -= 1) {
    const before = rounds[hops - 1];
    if (reachedIn(before, at) === reachedIn(rounds[hops], at)) continue;
    let best: { readonly id: string; readonly offer: number } = { id: at, offer: 0 };
    for (const [neighbour, weight] of around.get(at) ?? []) {
      const offer = weight * reachedIn(before, neighbour);
      const better = offer > best.offer || (offer === best.offer && offer > 0 && neighbour < best.id);
      if (better) best = { id: neighbour, offer };
    }
    at = best.id;
  }
  return at;
};
