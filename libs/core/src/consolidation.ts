/** Memories that say the same become one (docs/design.md, "Consolidation"). */
import { mayMerge } from './conflict-guard.js';
import type { MemoryKind, Outcome } from './memory.js';

/** What decides whether memories may become one, and which of them stays. */
export interface Consolidable {
  readonly id: string;
  /** Equal exactly where the same people see both; see audienceKey. */
  readonly audience: string;
  readonly kind: MemoryKind;
  readonly ownerId: string;
  /** Title and text, as the conflict guard reads them. */
  readonly fullText: string;
  /** Since when it has its present text. */
  readonly writtenAt: Date;
  readonly outcome: Outcome | null;
}

/** Two memories, how near the farthest of their parts lie, and how near they must be by the encoder that doubts most. */
export interface NearPair {
  readonly a: string;
  readonly b: string;
  readonly cosine: number;
  readonly threshold: number;
}

/** Memories that may become one. */
export interface Cluster<Memory> {
  /** Has the newest text, which it keeps. */
  readonly survivor: Memory;
  /** Go into the survivor; newest text first. */
  readonly merged: readonly Memory[];
  /** The least cosine of a pair. */
  readonly similarity: number;
}

export interface ConsolidationRules {
  /** Also memories of different people become one: for a maintainer to approve. */
  readonly acrossAuthors: boolean;
  /** The conflict guard, or one that remembers what it said. */
  readonly guard?: (one: string, other: string) => boolean;
}

/** What could be consolidated. */
export interface Consolidation<Memory> {
  /** Each memory in at most one; by the survivor's id. */
  readonly clusters: readonly Cluster<Memory>[];
  /** Pairs that are near enough, and kept apart by the guard. */
  readonly guarded: number;
}

/**
 * Complete-link clusters: in each of them every pair is near enough, of one audience and kind, and passes the conflict
 * guard. Pairs that are not given count as far. The result does not depend on the order of what is given: the nearest
 * clusters join first, ties by id.
 */
export const planConsolidation = <Memory extends Consolidable>(
  memories: readonly Memory[],
  pairs: readonly NearPair[],
  { acrossAuthors, guard = mayMerge }: ConsolidationRules,
): Consolidation<Memory> => {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const nearness = new Map<string, number>();
  const guarded = new Set<string>();
  for (const { a, b, cosine, threshold } of pairs) {
    const [one, other] = [byId.get(a), byId.get(b)];
    if (one === undefined || other === undefined || a === b || cosine < threshold) continue;
    if (!belongTogether(one, other) || (!acrossAuthors && one.ownerId !== other.ownerId)) continue;
    const key = pairKey(a, b);
    if (guarded.has(key)) continue;
    if (!nearness.has(key) && !guard(one.fullText, other.fullText)) guarded.add(key);
    else nearness.set(key, Math.max(cosine, nearness.get(key) ?? -1));
  }
  const clusters = joinNearest(nearness)
    .map((ids) => toCluster(ids, byId, nearness))
    .sort((one, other) => (one.survivor.id < other.survivor.id ? -1 : 1));
  return { clusters, guarded: guarded.size };
};

/** Whether two memories may be one at all: the same people see both, and they tell of the same kind of thing. */
export const belongTogether = (one: Consolidable, other: Consolidable): boolean =>
  one.audience === other.audience &&
  one.kind === other.kind &&
  // A success after a failure is not the same piece of work told twice.
  (one.outcome === null || other.outcome === null || one.outcome === other.outcome);

/** Of memories that become one, the newest text stays, which is the first here; of equally new ones the smaller id. */
export const newestFirst = <Memory extends Pick<Consolidable, 'id' | 'writtenAt'>>(
  memories: readonly Memory[],
): Memory[] =>
  [...memories].sort(
    (one, other) => other.writtenAt.getTime() - one.writtenAt.getTime() || (one.id < other.id ? -1 : 1),
  );

const pairKey = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** Joins the two nearest clusters until no two can be joined. Only pairs in the map may be in one cluster. */
const joinNearest = (nearness: ReadonlyMap<string, number>): string[][] => {
  const clusters = new Map<string, readonly string[]>();
  const linked = new Map<string, number>(nearness);
  for (const id of [...nearness.keys()].flatMap((key) => key.split(' '))) clusters.set(id, [id]);
  for (let best = nearestPair(linked); best !== null; best = nearestPair(linked)) {
    const [kept, gone] = best;
    clusters.set(kept, [...(clusters.get(kept) ?? []), ...(clusters.get(gone) ?? [])]);
    clusters.delete(gone);
    linked.delete(pairKey(kept, gone));
    for (const id of clusters.keys()) relink(linked, id, best);
  }
  return [...clusters.values()].filter(({ length }) => length > 1).map((ids) => [...ids].sort());
};

/** A cluster is as near to the joined two as to the farther of them; to what it is far from one of, it is far. */
const relink = (linked: Map<string, number>, id: string, [kept, gone]: readonly [string, string]): void => {
  if (id === kept) return;
  const [toKept, toGone] = [linked.get(pairKey(id, kept)), linked.get(pairKey(id, gone))];
  linked.delete(pairKey(id, gone));
  if (toKept === undefined || toGone === undefined) linked.delete(pairKey(id, kept));
  else linked.set(pairKey(id, kept), Math.min(toKept, toGone));
};

/** A cluster is named by its smallest id, so ties do not depend on what was joined before. */
const nearestPair = (linked: ReadonlyMap<string, number>): [string, string] | null => {
  let best: string | null = null;
  for (const [key, cosine] of linked) {
    const most = best === null ? -Infinity : (linked.get(best) ?? -Infinity);
    if (cosine > most || (cosine === most && best !== null && key < best)) best = key;
  }
  if (best === null) return null;
  const [kept = '', gone = ''] = best.split(' ');
  return [kept, gone];
};

const toCluster = <Memory extends Consolidable>(
  ids: readonly string[],
  byId: ReadonlyMap<string, Memory>,
  nearness: ReadonlyMap<string, number>,
): Cluster<Memory> => {
  const [survivor, ...merged] = newestFirst(ids.flatMap((id) => byId.get(id) ?? []));
  if (survivor === undefined) throw new Error('A cluster has members.');
  const cosines = ids.flatMap((a, n) => ids.slice(n + 1).map((b) => nearness.get(pairKey(a, b)) ?? -1));
  return { survivor, merged, similarity: Math.min(...cosines) };
};

/**
 * What a survivor still says when something leaves it again: without what only that brought, in the same order. What a
 * person added meanwhile stays.
 * @param leaving what the memory that leaves says
 * @param kept what the survivor said itself, and what the memories say that stay in it
 */
export const withoutLeaving = <Item>(
  current: readonly Item[],
  { leaving, kept }: { readonly leaving: readonly Item[]; readonly kept: readonly Item[] },
): Item[] => {
  const keys = (items: readonly Item[]): ReadonlySet<string> => new Set(items.map((item) => JSON.stringify(item)));
  const [goes, stays] = [keys(leaving), keys(kept)];
  return current.filter((item) => !goes.has(JSON.stringify(item)) || stays.has(JSON.stringify(item)));
};
