import {
  audienceKey,
  type Cluster,
  mayMerge,
  type MemoryId,
  type NearPair,
  planConsolidation,
  type ProjectId,
  type Settings,
  type TenantId,
} from '@tempera/core';
import type { Tx } from '../database/context.js';
import {
  findLinkedPairs,
  type LinkedPair,
  measurePairs,
  type MergeableMemory,
  type PairNearness,
  readMergeable,
} from '../database/repositories/upkeep-pairs.js';
import { ENCODER_CARDS, ENCODER_NAMES, encoderNameOf, type EncoderName } from '../embedding/exports.js';
import { fullTextOf } from './memory-title.js';

/** So many memories are read and measured at once, in groups that have nothing to do with each other. */
const BATCH = 200;
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
}

export interface ClusterRequest {
  /** Reads texts and vectors in a transaction of its own. */
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  readonly tenantId: TenantId;
  /** A page of what is looked at. */
  readonly ids: readonly MemoryId[];
  /** What was compared for earlier pages; what is compared now is added. */
  readonly compared: Set<MemoryId>;
  /** The least cosine that calls anything here a cluster. */
  readonly leastThreshold: number;
  /** What holds where a memory lies; null: a link led to it, and it is not looked at. */
  readonly settingsOf: (memory: MergeableMemory) => Promise<Settings | null>;
  readonly now: Date;
}

/** Finds what says the same, among memories that the links already call near, each with whatever page it lies on. */
export const findClusters = async (request: ClusterRequest): Promise<FoundClusters> => {
  const { read, tenantId, ids, compared, leastThreshold, now } = request;
  const linked = await read((tx) => findLinkedPairs(tx, tenantId, ids, leastThreshold));
  const groups = groupsOf(linked.filter(({ a, b }) => !compared.has(a) && !compared.has(b)));
  const found: FoundClusters[] = [];
  for (const batch of batchesOf(groups)) {
    const all = batch.flat();
    const { memories, nearness } = await read(async (tx) => ({
      memories: await readMergeable(tx, tenantId, all, now),
      nearness: await measurePairs(tx, tenantId, batch),
    }));
    const byAudience = await inAudiences(memories, request);
    for (const group of batch) {
      for (const { members, settings } of byAudience)
        found.push(clusterGroup(new Set(group), members, nearness, settings));
    }
    for (const id of all) compared.add(id);
  }
  return sumOf(found);
};

interface Audience {
  readonly members: readonly ClusterMember[];
  readonly settings: Settings;
}

/** Memories of one audience hold to the same settings. */
const inAudiences = async (
  memories: readonly MergeableMemory[],
  { settingsOf }: Pick<ClusterRequest, 'settingsOf'>,
): Promise<Audience[]> => {
  const found = new Map<string, { members: ClusterMember[]; settings: Settings }>();
  for (const memory of memories) {
    const settings = await settingsOf(memory);
    if (settings === null) continue;
    const member = toMember(memory);
    const there = found.get(member.audience) ?? { members: [], settings };
    there.members.push(member);
    found.set(member.audience, there);
  }
  return [...found.values()];
};

/** Groups put together until a batch is full. */
const batchesOf = (groups: readonly MemoryId[][]): MemoryId[][][] => {
  const batches: MemoryId[][][] = [];
  let size = BATCH;
  for (const group of groups) {
    if (size + group.length > BATCH) [size] = [0, batches.push([])];
    batches.at(-1)?.push(group);
    size += group.length;
  }
  return batches;
};

/** The cosine from which two texts are of one cluster. */
const thresholdOf = (name: EncoderName, settings: Settings): number =>
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
  group: ReadonlySet<MemoryId>,
  all: readonly ClusterMember[],
  measured: readonly PairNearness[],
  settings: Settings,
): FoundClusters => {
  const members = all.filter(({ id }) => group.has(id));
  const nearness = measured.filter(({ a, b }) => group.has(a) && group.has(b));
  const verdicts = new Map<string, boolean>();
  const guard = (one: string, other: string): boolean => {
    const key = JSON.stringify([one, other].sort());
    const verdict = verdicts.get(key) ?? mayMerge(one, other);
    verdicts.set(key, verdict);
    return verdict;
  };
  const pairs = nearPairs(nearness, settings);
  const within = planConsolidation(members, pairs, { acrossAuthors: false, guard });
  const across = planConsolidation(members, pairs, { acrossAuthors: true, guard });
  return {
    clusters: within.clusters,
    joint: across.clusters,
    guarded: across.guarded,
  };
};

/** For a maintainer to look at: nobody else's text is put away unasked. */
export const isAcrossAuthors = ({ survivor, merged }: Cluster<{ readonly ownerId: string }>): boolean =>
  merged.some(({ ownerId }) => ownerId !== survivor.ownerId);

/** Pairs that the same encoders have read; the encoder that doubts most speaks for all. */
const nearPairs = (nearness: readonly PairNearness[], settings: Settings): NearPair[] => {
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
    const margins = measured.map(({ encoder, cosine, cluster }) => ({
      cosine,
      threshold:
        cluster === null ? thresholdOf(nameOf(encoder), settings) : (settings.storage.clusterThreshold ?? cluster),
    }));
    const worst = margins.reduce((one, other) =>
      other.cosine - other.threshold < one.cosine - one.threshold ? other : one,
    );
    return [{ a: first.a, b: first.b, ...worst }];
  });
};

/** An encoder's id is its name and a digest. */
const nameOf = (encoder: string): EncoderName => encoderNameOf(encoder) ?? ENCODER_NAMES[0];

/** What was found in several places. */
export const sumOf = (found: readonly FoundClusters[]): FoundClusters => ({
  clusters: found.flatMap(({ clusters }) => clusters),
  joint: found.flatMap(({ joint }) => joint),
  guarded: found.reduce((total, { guarded }) => total + guarded, 0),
});

/** The least cosine that settings call a cluster, by whatever encoder. */
export const leastThresholdOf = (settings: Settings): number =>
  Math.min(...ENCODER_NAMES.map((name) => thresholdOf(name, settings)));
