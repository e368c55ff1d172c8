/**
 * What helped lends to what is like it (docs/design.md, "Propagation"). A loan only raises, is never lent on as
 * one's own, and does not depend on the order of memories or edges.
 */
import type { Edge } from './propagation-graph.js';

/** Below this a loan is not worth keeping. */
const LEAST_LOAN = 0.001;
/** A run whose largest change stays below this has arrived. */
const CONVERGED_BELOW = 0.001;

/** A memory as a night's run sees it. */
export interface PropagationNode<Id extends string = string> {
  readonly id: Id;
  /** Evidence e, 0..1. */
  readonly evidence: number;
  /** What it earned itself, decayed: x(e + credit)·f, 0..1. */
  readonly earned: number;
  /** p before this run, 0..1. */
  readonly propagated: number;
  /** The share a of the way from p to q that this run goes; see {@link learningShare}. */
  readonly alpha: number;
  /** Helpful votes that stand from others than the author (private memories: from the owner). */
  readonly helpfulVotes: number;
  /** Retrievals of kind `asked`, one a user and day. */
  readonly askedRetrievals: number;
  /** What reaches the memory counts above this only; 0, the default, for excess over neutral. */
  readonly base?: number;
}

export interface PropagationSettings {
  /** What is left of a loan after one hop of weight 1, 0..1. */
  readonly gamma: number;
  readonly maxDepth: number;
  /** A source's evidence lies above this. */
  readonly sourceThreshold: number;
  readonly minRetrievals: number;
  /** Edges below this cosine carry nothing; on the card. */
  readonly minEdge: number;
}

/** The two numbers stored with a memory: p follows q night by night. */
export interface Loan {
  readonly propagated: number;
  readonly reached: number;
}

export interface PropagationResult<Id extends string = string> {
  /** In order of id. */
  readonly sources: readonly Id[];
  /** Rounds that reached a memory, or by a better way: how many steps from a source the lending goes. */
  readonly hops: number;
  /** p and q of every node. */
  readonly loans: ReadonlyMap<Id, Loan>;
  /** Memories whose p changed. */
  readonly touched: number;
  /** Largest change of p. */
  readonly residual: number;
  readonly converged: boolean;
}

/** What a memory has on loan: it falls with its sources in one night, and rises step by step. */
export const lent = (propagated: number, reached: number): number => Math.min(propagated, reached);

/**
 * The share a of the way from p to q that one run goes: all of it where no run has lent yet (what is not worth keeping is
 * nothing), else as many steps of alpha as days have passed, so that a second run on one day changes nothing and a missed
 * night is made up for.
 * @param days between the run date that last set p and this one, 0 or more; null where none did: a p that came at once,
 *   with a vote or a capture, is the night's to set, which then ends as it would have without it
 */
export const learningShare = (propagated: number, alpha: number, days: number | null): number =>
  propagated < LEAST_LOAN || days === null ? 1 : 1 - (1 - alpha) ** Math.max(0, days);

/** Whether a memory lends: it is proved by others, and asked for. */
export const isSource = (
  { evidence, helpfulVotes, askedRetrievals }: Pick<PropagationNode, 'evidence' | 'helpfulVotes' | 'askedRetrievals'>,
  { sourceThreshold, minRetrievals }: PropagationSettings,
): boolean => helpfulVotes >= 1 && evidence > sourceThreshold && askedRetrievals >= minRetrievals;

/** One night's propagation over the memories of one audience. */
export const propagate = <Id extends string>(
  nodes: readonly PropagationNode<Id>[],
  edges: readonly Edge<Id>[],
  settings: PropagationSettings,
): PropagationResult<Id> => {
  const sources = nodes.filter((node) => isSource(node, settings));
  const { reach, hops } = spread(sources, neighboursOf(nodes, edges, settings.minEdge), settings);

  const loans = new Map<Id, Loan>();
  let touched = 0;
  let residual = 0;
  for (const node of nodes) {
    const reached = Math.max(0, (reach.get(node.id) ?? 0) - (node.base ?? 0));
    const propagated = step(node, reached);
    const change = Math.abs(propagated - node.propagated);
    if (change > 0) touched += 1;
    residual = Math.max(residual, change);
    loans.set(node.id, { propagated, reached });
  }
  const ids = sources.map(({ id }) => id).sort();
  return { sources: ids, hops, loans, touched, residual, converged: residual < CONVERGED_BELOW };
};

const step = ({ propagated, alpha }: PropagationNode, reached: number): number => {
  const next = (1 - alpha) * propagated + alpha * reached;
  return next < LEAST_LOAN ? 0 : next;
};

type Neighbours<Id extends string> = ReadonlyMap<Id, readonly (readonly [neighbour: Id, weight: number])[]>;

const neighboursOf = <Id extends string>(
  nodes: readonly PropagationNode<Id>[],
  edges: readonly Edge<Id>[],
  minEdge: number,
): Neighbours<Id> => {
  const neighbours = new Map<Id, [Id, number][]>(nodes.map(({ id }) => [id, []]));
  for (const { a, b, weight } of edges) {
    const ofA = neighbours.get(a);
    const ofB = neighbours.get(b);
    // An edge may lead to a memory that was archived since it was drawn: it leads nowhere.
    if (weight < minEdge || ofA === undefined || ofB === undefined) continue;
    ofA.push([b, weight]);
    ofB.push([a, weight]);
  }
  return neighbours;
};

/**
 * How much of the sources reaches each memory. Each round reads only what the round before left, so that the order of
 * nodes cannot matter, and passes on only what the round before raised.
 */
const spread = <Id extends string>(
  sources: readonly PropagationNode<Id>[],
  neighbours: Neighbours<Id>,
  { gamma, maxDepth }: PropagationSettings,
): { reach: ReadonlyMap<Id, number>; hops: number } => {
  const reach = new Map<Id, number>(sources.map(({ id, earned }) => [id, earned]));
  let raised: ReadonlyMap<Id, number> = new Map(reach);
  let hops = 0;
  while (hops < maxDepth) {
    const next = new Map<Id, number>();
    for (const [id, amount] of raised) {
      for (const [neighbour, weight] of neighbours.get(id) ?? []) {
        const arriving = gamma * weight * amount;
        if (arriving > Math.max(reach.get(neighbour) ?? 0, next.get(neighbour) ?? 0)) next.set(neighbour, arriving);
      }
    }
    if (next.size === 0) break;
    for (const [id, amount] of next) reach.set(id, amount);
    raised = next;
    hops += 1;
  }
  return { reach, hops };
};

/** A memory beside another, of one audience, and how near. */
export interface Lender {
  readonly weight: number;
  readonly node: Omit<PropagationNode, 'propagated' | 'alpha'>;
}

/**
 * Loans that need not wait for the night: of a new memory from what lies around it, or of a neighbour whose source has just
 * been voted for. One hop, of what the sources earned themselves; it only raises, and falls wait for the night. The
 * database works out the same (`raise_loans`), since nobody may write a score.
 */
export const borrowAtOnce = (own: Loan, around: readonly Lender[], settings: PropagationSettings): Loan => {
  const best = around.reduce((most, { weight, node }) => {
    const lends = settings.maxDepth >= 1 && weight >= settings.minEdge && isSource(node, settings);
    return lends ? Math.max(most, settings.gamma * weight * node.earned) : most;
  }, 0);
  const loan = best < LEAST_LOAN ? 0 : best;
  return { propagated: Math.max(own.propagated, loan), reached: Math.max(own.reached, loan) };
};
