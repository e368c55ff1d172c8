import {
  audienceKey,
  type Cluster,
  mayMerge,
  type MemoryId,
  type NearPair,
  planConsolidation,
  type ProjectId,
} from '@tempera/core';
import {
  type Doors,
  ENCODER_CARDS,
  ENCODER_NAMES,
  type EncoderName,
  findLinkedPairs,
  type LinkedPair,
  measurePairs,
  type MergeableMemory,
  type PairNearness,
  readMergeable,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { fullTextOf } from '../memories/memory-title.js';
import type { Deadline } from './look-over.js';
import type { UpkeepPlace } from './upkeep-scope.js';

/** Links of so many memories are read at once. */
const LINK_PAGE = 1_000;
/** So many memories are compared with each other; of more that hang together, each so many for themselves. */
const MAX_GROUP = 40;

/** A memory with what the rules of consolidation ask of it. */
export interface ClusterMember extends MergeableMemory {
  /** The project too, where each memory is kept apart for its own. */
  readonly audience: string;
  readonly fullText: string;
}

export interface FoundClusters {
  /** Each of one author's memories. */
  readonly clusters: readonly Cluster<ClusterMember>[];
  /** As if everything were one author's. */
  readonly joint: readonly Cluster<ClusterMember>[];
  /** Pairs that are near enough and kept apart by the conflict guard. */
  readonly guarded: number;
  /** Groups of like memories that there was no time for. */
  readonly groupsLeft: number;
}

export interface ClusterRequest {
  readonly caller: Caller;
  readonly place: UpkeepPlace;
  readonly ids: readonly MemoryId[];
  readonly now: Date;
  readonly deadline: Deadline;
}

/** Finds what says the same, among memories that the links already call near. */
export const findClusters = async (doors: Doors, request: ClusterRequest): Promise<FoundClusters> => {
  const groups = groupsOf(await linkedPairs(doors, request));
  const found: FoundClusters[] = [];
  for (const [n, ids] of groups.entries()) {
    if (request.deadline.now() > request.deadline.at) {
      return sum([...found, { clusters: [], joint: [], guarded: 0, groupsLeft: groups.length - n }]);
    }
    const { memories, nearness } = await doors.asTenant(request.caller, async (tx) => ({
      memories: await readMergeable(tx, request.caller.tenantId, ids, request.now),
      nearness: await measurePairs(tx, request.caller.tenantId, ids),
    }));
    found.push(clusterGroup(memories.map(toMember), nearness, request.place));
  }
  return sum(found);
};

const linkedPairs = async (doors: Doors, { caller, place, ids }: ClusterRequest): Promise<LinkedPair[]> => {
  const known = new Set(ids);
  const least = Math.min(...ENCODER_NAMES.map((name) => thresholdOf(name, place)));
  const pairs: LinkedPair[] = [];
  for (let begin = 0; begin < ids.length; begin += LINK_PAGE) {
    const page = ids.slice(begin, begin + LINK_PAGE);
    const linked = await doors.asTenant(caller, (tx) => findLinkedPairs(tx, caller.tenantId, page, least));
    pairs.push(...linked.filter(({ a, b }) => known.has(a) && known.has(b)));
  }
  return pairs;
};

/** The cosine from which two texts are of one cluster. */
const thresholdOf = (name: EncoderName, { settings }: UpkeepPlace): number =>
  settings.storage.clusterThreshold ?? ENCODER_CARDS[name].thresholds.cluster.cosine;

/** What hangs together by links, each in order of id and no larger than can be compared. */
const groupsOf = (pairs: readonly LinkedPair[]): MemoryId[][] => {
  const groupOf = new Map<MemoryId, MemoryId[]>();
  for (const { a, b } of pairs) {
    const [one, other] = [groupOf.get(a) ?? [a], groupOf.get(b) ?? [b]];
    groupOf.set(a, one);
    groupOf.set(b, other);
    if (one === other) continue;
    const [large, small] = one.length >= other.length ? [one, other] : [other, one];
    for (const id of small) {
      large.push(id);
      groupOf.set(id, large);
    }
  }
  return [...new Set(groupOf.values())]
    .map((ids) => [...ids].sort())
    .sort((one, other) => ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1))
    .flatMap((ids) =>
      Array.from({ length: Math.ceil(ids.length / MAX_GROUP) }, (_, n) =>
        ids.slice(n * MAX_GROUP, (n + 1) * MAX_GROUP),
      ),
    );
};

/** A memory for the rules. In private each project's memories are for themselves, though one person sees them all. */
export const toMember = (memory: MergeableMemory): ClusterMember => ({
  ...memory,
  audience: `${audienceKey({ ...memory, projectId: memory.projectId ?? ('' as ProjectId) })} ${memory.projectId ?? ''}`,
  fullText: fullTextOf(memory),
});

const clusterGroup = (
  members: readonly ClusterMember[],
  nearness: readonly PairNearness[],
  place: UpkeepPlace,
): FoundClusters => {
  const verdicts = new Map<string, boolean>();
  const guard = (one: string, other: string): boolean => {
    const key = JSON.stringify([one, other].sort());
    const verdict = verdicts.get(key) ?? mayMerge(one, other);
    verdicts.set(key, verdict);
    return verdict;
  };
  const pairs = nearPairs(nearness, place);
  const within = planConsolidation(members, pairs, { acrossAuthors: false, guard });
  const across = planConsolidation(members, pairs, { acrossAuthors: true, guard });
  return {
    clusters: within.clusters,
    joint: across.clusters,
    guarded: across.guarded,
    groupsLeft: 0,
  };
};

/** For a maintainer to look at: nobody else's text is put away unasked. */
export const isAcrossAuthors = ({ survivor, merged }: Cluster<{ readonly ownerId: string }>): boolean =>
  merged.some(({ ownerId }) => ownerId !== survivor.ownerId);

/** Pairs that the same encoders have read; the encoder that doubts most speaks for all. */
const nearPairs = (nearness: readonly PairNearness[], place: UpkeepPlace): NearPair[] => {
  const encodersOf = new Map<string, string>();
  const byPair = new Map<string, PairNearness[]>();
  for (const measured of nearness) {
    const { a, b, encoder } = measured;
    if (a === b) encodersOf.set(a, `${encodersOf.get(a) ?? ''} ${encoder}`);
    else byPair.set(`${a} ${b}`, [...(byPair.get(`${a} ${b}`) ?? []), measured]);
  }
  return [...byPair.values()].flatMap((measured) => {
    const [first] = measured;
    if (first === undefined || encodersOf.get(first.a) !== encodersOf.get(first.b)) return [];
    const margins = measured.map(({ encoder, cosine }) => ({ cosine, threshold: thresholdOf(nameOf(encoder), place) }));
    const worst = margins.reduce((one, other) =>
      other.cosine - other.threshold < one.cosine - one.threshold ? other : one,
    );
    return [{ a: first.a, b: first.b, ...worst }];
  });
};

/** An encoder's id is its name and a digest. */
const nameOf = (encoder: string): EncoderName =>
  ENCODER_NAMES.find((name) => encoder.startsWith(`${name}@`)) ?? ENCODER_NAMES[0];

const sum = (found: readonly FoundClusters[]): FoundClusters => ({
  clusters: found.flatMap(({ clusters }) => clusters),
  joint: found.flatMap(({ joint }) => joint),
  guarded: found.reduce((total, { guarded }) => total + guarded, 0),
  groupsLeft: found.reduce((total, { groupsLeft }) => total + groupsLeft, 0),
});
