import { isSource, type Loan, propagate } from '@tempera/core';
import type { NeighbourLink, SnapshotNode } from '../database/repositories/propagation.repository.js';
import { aroundEach, lenderTo } from './lender.js';
import { LendingGraph, type LendingSettings, type Round } from './lending-graph.js';
import { toNode } from './snapshot-node.js';

/** Where the graph comes from: a run's snapshot and the links. */
export interface GraphReader {
  /** Every memory that may be a source. */
  sources(): Promise<SnapshotNode[]>;
  nodes(ids: readonly string[]): Promise<SnapshotNode[]>;
  /** The links at some memories, each once. */
  links(ids: readonly string[]): Promise<NeighbourLink[]>;
  /** The memories of some sessions. */
  members(sessionIds: readonly string[]): Promise<string[]>;
}

/** A memory's loan, and whose it is. */
export interface Loaned extends Loan {
  /** The source that lends most; null where nothing reached it but what it earned itself. */
  readonly from: string | null;
}

/** What a night lends, to be asked page by page. */
export interface Lending {
  readonly hops: number;
  isSource(row: SnapshotNode): boolean;
  to(row: SnapshotNode): Loaned;
  /** By how much what others lend it changes; what a source keeps of its own is stored beside it and no loan. */
  changeOf(row: SnapshotNode, loan: Loaned): number;
}

/**
 * Works out a night's lending. Only the part of the graph that something can reach is read: from the sources outward,
 * one round of neighbours and session mates for each hop. What it does not reach only falls.
 */
export const workOutLending = async (reader: GraphReader, settings: LendingSettings): Promise<Lending> => {
  const graph = new LendingGraph(settings);
  graph.add(await reader.sources());
  const rounds = [graph.spread(0)];
  const read: Read = { memories: new Set(), sessions: new Set() };
  for (let hops = 0; hops < settings.maxDepth; hops += 1) {
    const before = rounds[hops];
    if (before === undefined) break;
    await readAround(before, graph, reader, read);
    graph.drawStars(before);
    rounds.push(graph.spread(hops + 1));
  }
  const last = rounds.at(-1);
  const around = aroundEach(graph.edges);
  const lends = (row: SnapshotNode): boolean => isSource(toNode(row, settings.alpha), settings);
  return {
    hops: last?.hops ?? 0,
    isSource: lends,
    changeOf: (row, { propagated, from }) => (from === null && lends(row) ? 0 : Math.abs(propagated - row.propagated)),
    to: (row) => {
      const loan = last?.loans.get(row.id) ?? outOfReach(row, settings);
      const from = loan.reached > 0 ? lenderTo(row.id, rounds, around) : row.id;
      return { ...loan, from: from === row.id ? null : from };
    },
  };
};

/** What was read around; nothing is read twice. */
interface Read {
  readonly memories: Set<string>;
  readonly sessions: Set<string>;
}

/** Reads the neighbours and mates of what a round has reached. */
const readAround = async (round: Round, graph: LendingGraph, reader: GraphReader, read: Read): Promise<void> => {
  const frontier: string[] = [];
  for (const [id, { reached }] of round.loans) if (reached > 0 && !read.memories.has(id)) frontier.push(id);
  if (frontier.length === 0) return;
  const links = await reader.links(frontier);
  const fresh = links.filter(({ a, b }) => !read.memories.has(a) && !read.memories.has(b));
  const sessions = graph.sessionsOf(frontier).filter((session) => !read.sessions.has(session));
  const mates = sessions.length === 0 ? [] : await reader.members(sessions);
  const ends = fresh.flatMap(({ a, b }) => [a, b]);
  graph.add(await reader.nodes(graph.missing([...ends, ...mates])));
  graph.link(fresh);
  for (const id of frontier) read.memories.add(id);
  for (const session of sessions) read.sessions.add(session);
};

const outOfReach = (row: SnapshotNode, settings: LendingSettings): Loan =>
  propagate([toNode(row, settings.alpha)], [], settings).loans.get(row.id) ?? { propagated: 0, reached: 0 };
