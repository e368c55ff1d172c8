import {
  type Edge,
  type Loan,
  propagate,
  type PropagationSettings,
  SESSION_MATE_WEIGHT,
  type Settings,
} from '@tempera/core';
import type { NeighbourLink, SnapshotNode } from '../database/repositories/propagation.repository.js';
import { audienceOf, circleOf, toNode } from './snapshot-node.js';

export interface LendingSettings extends PropagationSettings {
  /** How far a loan moves in one night, 0..1. */
  readonly alpha: number;
}

/** What a tenant's settings say of lending. */
export const lendingSettings = ({ bellman, storage }: Settings): LendingSettings => ({
  gamma: bellman.gamma,
  alpha: bellman.alpha,
  maxDepth: bellman.maxPropagationDepth,
  sourceThreshold: bellman.propagationThreshold,
  minRetrievals: storage.minRetrievals,
  // Links are drawn at or above the card's threshold of their encoder; here nothing is known of encoders.
  minEdge: 0,
});

/** What has reached whom after some rounds. */
export interface Round {
  /** p and q of every memory of the graph. */
  readonly loans: ReadonlyMap<string, Loan>;
  /** Rounds in which something changed. */
  readonly hops: number;
}

/** q of a memory after a round; 0 where nothing reached it. */
export const reachedIn = (round: Round | undefined, id: string): number => round?.loans.get(id)?.reached ?? 0;

/** The part of a tenant's graph that something can reach, as far as it has been read. */
export class LendingGraph {
  readonly edges: Edge[] = [];
  private readonly rows = new Map<string, SnapshotNode>();
  /** Worked out once a memory, not once a link. */
  private readonly audiences = new Map<string, string>();
  private readonly circles = new Map<string, string[]>();
  private readonly stars = new Set<string>();

  constructor(private readonly settings: LendingSettings) {}

  add(rows: readonly SnapshotNode[]): void {
    for (const row of rows) {
      if (this.rows.has(row.id)) continue;
      this.rows.set(row.id, row);
      this.audiences.set(row.id, audienceOf(row));
      const circle = circleOf(row);
      if (circle === null) continue;
      const mates = this.circles.get(circle);
      if (mates === undefined) this.circles.set(circle, [row.id]);
      else mates.push(row.id);
    }
  }

  /** Joins near memories where one audience sees both. */
  link(links: readonly NeighbourLink[]): void {
    for (const { a, b, weight } of links) {
      const audience = this.audiences.get(a);
      if (audience !== undefined && audience === this.audiences.get(b)) this.edges.push({ a, b, weight });
    }
  }

  /** Of some memories, those that are not here yet. */
  missing(ids: readonly string[]): string[] {
    return [...new Set(ids)].filter((id) => !this.rows.has(id));
  }

  sessionsOf(ids: readonly string[]): string[] {
    return [...new Set(ids.flatMap((id) => this.rows.get(id)?.sessionId ?? []))];
  }

  /** The sources' own q after `maxDepth` rounds, and what they have lent by then. */
  spread(maxDepth: number): Round {
    const nodes = [...this.rows.values()].map((row) => toNode(row, this.settings.alpha));
    return propagate(nodes, this.edges, { ...this.settings, maxDepth });
  }

  /**
   * Joins each circle of mates to the one that was reached most in a round.
   *
   * Mates are not joined pair by pair, since a session can hold thousands. In the next round every mate gets most from
   * that same one, and that one has more than any other mate could give it: so one star for each round lends exactly what
   * all pairs would.
   */
  drawStars(round: Round): void {
    for (const [circle, mates] of this.circles) {
      const centre = mostReached(mates, round);
      if (centre === null || this.stars.has(`${circle} ${centre}`)) continue;
      this.stars.add(`${circle} ${centre}`);
      for (const mate of mates) {
        if (mate !== centre) this.edges.push({ a: centre, b: mate, weight: SESSION_MATE_WEIGHT });
      }
    }
  }
}

/** The memory that a round reached most, the least id of equals; null where it reached none. */
const mostReached = (ids: readonly string[], round: Round): string | null => {
  let best: string | null = null;
  for (const id of ids) {
    const lead = reachedIn(round, id) - (best === null ? 0 : reachedIn(round, best));
    if (lead > 0 || (lead === 0 && best !== null && id < best)) best = id;
  }
  return best;
};
