import { asId, type Cluster, type MemoryId, type ProjectId, type Settings, type TenantId } from '@tempera/core';
import {
  type ClusterMember,
  ENCODER_CARDS,
  ENCODER_NAMES,
  findClusters,
  isAcrossAuthors,
  joinContent,
  keywordsOf,
  leastClusterThreshold,
  type MaintenanceChange,
  mergeByNight,
  type NightlyMerge,
  ownState,
  pageOfActive,
  placeOf,
  readContents,
  readSurvivors,
  recordChanges,
  type Tx,
  undoRunOf,
} from '@tempera/platform';
import type { RunRef } from '@tempera/platform/temporal/contract';
import { inPlaces } from './in-places.js';
import { lastOf, memoriesOf, type NightlyTools, type PageEffect, type PageSpan, type StepWork } from './page.js';
import type { ProjectSettings } from './project-settings.js';

/** Texts of one page: comparing takes longer than counting. */
const MAX_COMPARED = 100;

/** What was found on a page, outside the transaction that will act on it. */
interface Found {
  readonly rows: readonly { readonly id: MemoryId }[];
  readonly merges: readonly FoundMerge[];
  /** Clusters of several authors. */
  readonly proposed: readonly Cluster<ClusterMember>[];
  readonly guarded: number;
}

interface FoundMerge {
  readonly cluster: Cluster<ClusterMember>;
  readonly merge: NightlyMerge;
}

/**
 * Merges what one author wrote for the same people and says the same, by the rules of consolidation by hand; what several
 * people wrote is proposed. Texts are read as mem_text before the page's transaction, which only takes what has not changed since.
 */
export const consolidateStep = (tools: NightlyTools, run: RunRef, settingsOf: ProjectSettings): StepWork => {
  const compared = new Set<MemoryId>();
  return {
    memories: async (tx, _run, span) => memoriesOf(await pageOfActive(tx, run, fewer(span)), fewer(span)),
    prepare: async (given) => {
      const span = fewer(given);
      const found = await look(tools, run, settingsOf, { span, compared });
      return (tx) => act(tx, run, found, span);
    },
  };
};

const fewer = (span: PageSpan): PageSpan => ({ ...span, limit: Math.min(span.limit, MAX_COMPARED) });

const look = async (
  { doors, now }: NightlyTools,
  run: RunRef,
  settingsOf: ProjectSettings,
  { span, compared }: { readonly span: PageSpan; readonly compared: Set<MemoryId> },
): Promise<Found> => {
  const tenantId = asId<TenantId>(run.tenantId);
  const { rows, least } = await doors.asWorker(tenantId, async (tx) => ({
    rows: await pageOfActive(tx, run, span),
    least: await leastClusterThreshold(tx, tenantId),
  }));
  const settingsHere = oncePerProject((projectId) => doors.asWorker(tenantId, (tx) => settingsOf(tx, projectId)));
  const cards = ENCODER_NAMES.map((name) => ENCODER_CARDS[name].thresholds.cluster.cosine);
  const { clusters, joint, guarded } = await findClusters({
    ...{ tenantId, compared, now: now(), ids: rows.map(({ id }) => id) },
    leastThreshold: Math.min(least ?? Infinity, ...cards),
    read: (work) => doors.asText(tenantId, work),
    settingsOf: (memory): Promise<Settings | null> =>
      span.without.includes(memory.id)
        ? Promise.resolve(null)
        : settingsHere(memory.scope === 'project' ? memory.projectId : null),
  });
  const merges = await doors.asText(tenantId, (tx) => prepareMerges(tx, tenantId, clusters));
  return { rows, merges, proposed: joint.filter(isAcrossAuthors), guarded };
};

/** A transaction for each memory would take the connections that other nights wait for. */
const oncePerProject = (
  read: (projectId: ProjectId | null) => Promise<Settings>,
): ((projectId: ProjectId | null) => Promise<Settings>) => {
  const known = new Map<ProjectId | null, Promise<Settings>>();
  return (projectId) => {
    const found = known.get(projectId) ?? read(projectId);
    known.set(projectId, found);
    return found;
  };
};

const idsOf = ({ survivor, merged }: Cluster<ClusterMember>): MemoryId[] => [
  survivor.id,
  ...merged.map(({ id }) => id),
];

const prepareMerges = async (
  tx: Tx,
  tenantId: TenantId,
  clusters: readonly Cluster<ClusterMember>[],
): Promise<FoundMerge[]> => {
  const contents = await readContents(tx, tenantId, clusters.flatMap(idsOf));
  const survivors = await readSurvivors(
    tx,
    tenantId,
    clusters.map(({ survivor }) => survivor.id),
  );
  return clusters.flatMap((cluster) => {
    const [own, ...others] = idsOf(cluster).flatMap((id) => contents.get(id) ?? []);
    const before = survivors.get(cluster.survivor.id);
    if (own === undefined || before === undefined || others.length < cluster.merged.length) return [];
    const content = joinContent(own, others);
    const merge = {
      ...{ survivorId: cluster.survivor.id, before: ownState(before), content, keywords: keywordsOf(content) },
      // Of the texts that were compared: one that was edited in between is left alone.
      revisions: [cluster.survivor, ...cluster.merged].map(({ id, revision }) => ({ id, revision })),
    };
    return [{ cluster, merge }];
  });
};

const act = async (
  tx: Tx,
  run: RunRef,
  { rows, merges, proposed, guarded }: Found,
  span: PageSpan,
): Promise<PageEffect> => {
  const done = run.isDry === true ? merges : await mergeAll(tx, run, merges);
  const merged = done.flatMap(({ cluster }) => changesOf(cluster, 'merged', []));
  const gone = new Set(merged.map(({ memoryId }) => memoryId));
  const suggested = proposed
    .flatMap((cluster) => changesOf(cluster, 'proposed', ['across-authors']))
    .filter(({ memoryId }) => !gone.has(memoryId));
  await recordChanges(tx, run, 'consolidate', [...merged, ...suggested]);
  return {
    report: {
      ...{ merged: merged.length, proposed: suggested.length, guarded },
      ...{ looked: rows.length, changed: merged.length },
    },
    after: lastOf(rows, span),
  };
};

const changesOf = (
  { survivor, merged }: Cluster<ClusterMember>,
  action: 'merged' | 'proposed',
  reasons: readonly string[],
): MaintenanceChange[] => merged.map(({ id }) => ({ memoryId: id, action, reasons, intoId: survivor.id }));

const mergeAll = async (tx: Tx, run: RunRef, merges: readonly FoundMerge[]): Promise<FoundMerge[]> => {
  const done: FoundMerge[] = [];
  for (const { place, items } of inPlaces(merges, ({ cluster }) => placeOf(cluster.survivor))) {
    const undoRunId = await undoRunOf(tx, run, 'consolidate', place);
    const survivors = await mergeByNight(
      tx,
      undoRunId,
      items.map(({ merge }) => merge),
    );
    done.push(...items.filter(({ merge }) => survivors.has(merge.survivorId)));
  }
  return done;
};
