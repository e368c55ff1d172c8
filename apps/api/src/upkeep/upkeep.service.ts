import { Inject, Injectable } from '@nestjs/common';
import { type MemoryId, newestFirst } from '@tempera/core';
import { type ClusterMember, type Doors, isRefused, type Joining, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { checkCount, refuse } from '../memories/check-input.js';
import { EmbeddingLoop } from '../memories/embedding-loop.js';
import { toMemory } from '../memories/memory.mapper.js';
import { readOne, requireMemory } from '../memories/require-change.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { changedMeanwhile, mergeClusters, readChosen } from './merge-clusters.js';
import { pruneAgain } from './prune-again.js';
import { limitsOf } from './prune-limits.js';
import { lookedAt, ReviewService } from './review.service.js';
import { undoRun } from './undo-run.js';
import { maintainersOnly, requireExecute } from './upkeep-scope.js';
import {
  type CleanedUp,
  type CleanupInput,
  type Consolidated,
  type ConsolidateInput,
  MAX_CHOSEN,
  MAX_MERGED_CLUSTERS,
  MAX_PRUNED,
  type MergedByHand,
  type Undone,
} from './upkeep.types.js';

/** Merges, prunes and takes both back: a dry run unless told otherwise, and never as anybody but the caller. */
@Injectable()
export class UpkeepService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly reviews: ReviewService,
    private readonly loop: EmbeddingLoop,
  ) {}

  /** @throws AppError `not-found` for a project that is not there, `forbidden` for who executes and does not maintain it */
  async consolidate(caller: Caller, input: ConsolidateInput): Promise<Consolidated> {
    const at = { project: input.project ?? null, after: input.after ?? null };
    const { place, looked, found } = await this.reviews.analyse(caller, at, input.execute);
    const all = input.acrossAuthors ? found.joint : found.clusters;
    const chosen = all.slice(0, MAX_MERGED_CLUSTERS);
    const clusters = await this.reviews.showClusters(caller, chosen);
    const dry = { ...lookedAt(looked), clusters, runId: null, remaining: all.length };
    if (!input.execute || chosen.length === 0) return dry;
    const { projectId } = place.scope;
    const { runId, joinings } = await this.act(caller, (tx) =>
      mergeClusters(tx, {
        ...{ caller, projectId, kind: 'consolidate', isShared: projectId !== null, now: this.clock.now() },
        joinings: chosen.map(toJoining),
        revisions: revisionsOf(chosen.flatMap(({ survivor, merged }) => [survivor, ...merged])),
      }),
    );
    const done = new Set(joinings.map(({ survivorId }) => survivorId));
    const merged = clusters.filter(({ survivor }) => done.has(survivor.id));
    return { ...dry, clusters: merged, runId, remaining: all.length - done.size };
  }

  /** @throws AppError as {@link consolidate}; `invalid-input` for limits out of range */
  async cleanup(caller: Caller, input: CleanupInput): Promise<CleanedUp> {
    const at = { project: input.project ?? null, after: input.after ?? null };
    const limits = limitsOf(input);
    const { place, looked } = await this.reviews.look(caller, at, {
      limitsOf: limits,
      begin: (here) => {
        if (input.execute) requireExecute(here);
        return null;
      },
    });
    const all = looked.judged.filter(({ reasons }) => reasons.length > 0);
    const chosen = all.slice(0, MAX_PRUNED);
    const dry = { ...lookedAt(looked), runId: null, remaining: all.length };
    const memories = await this.reviews.showJudged(caller, chosen);
    if (!input.execute || chosen.length === 0) return { ...dry, memories };
    const request = { caller, place, limits: limits(place), now: this.clock.now() };
    const { runId, ids } = await this.act(caller, (tx) => pruneAgain(tx, request, chosen));
    const done = memories.filter(({ memory }) => ids.has(memory.id));
    return { ...dry, memories: done, runId, remaining: all.length - done.length };
  }

  /**
   * Merges memories that somebody chose; the newest text stays.
   * @throws AppError `not-found`, `invalid-input`, `forbidden` for who does not maintain them, `conflict` for what may not be one
   */
  async merge(caller: Caller, given: readonly string[]): Promise<MergedByHand> {
    checkCount(given, 'ids', MAX_CHOSEN);
    const now = this.clock.now();
    return this.act(caller, async (tx) => {
      const ids: MemoryId[] = [];
      for (const id of new Set(given)) ids.push((await requireMemory(tx, caller, id)).id);
      const distinct = [...new Set(ids)];
      if (distinct.length < 2) throw refuse('list-too-short', '`ids` names two memories or more.');
      const members = await readChosen(tx, caller, distinct, now);
      const [survivor, ...merged] = newestFirst(members);
      if (survivor === undefined) throw changedMeanwhile();
      const isShared = survivor.scope !== 'private';
      const projectId = survivor.scope === 'project' ? survivor.projectId : null;
      const joinings = [toJoining({ survivor, merged })];
      const kind = 'merge' as const;
      const { runId } = await mergeClusters(tx, {
        ...{ caller, projectId, kind, isShared, joinings, revisions: revisionsOf(members), now },
      });
      if (runId === null) throw changedMeanwhile();
      const record = await readOne(tx, caller, survivor.id);
      return { runId, survivor: toMemory(record, caller.userId, now), mergedIds: merged.map(({ id }) => id) };
    });
  }

  /** Takes a merge or a cleanup back. @throws AppError `not-found`, `forbidden` for who no longer maintains the project */
  async undo(caller: Caller, id: string): Promise<Undone> {
    const undone = await this.act(caller, (tx) => undoRun(tx, caller, id, this.clock.now()));
    this.loop.wake();
    return undone;
  }

  private async act<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.doors.asTenant(caller, work);
    } catch (error) {
      if (isRefused(error)) throw maintainersOnly();
      throw error;
    }
  }
}

const toJoining = ({
  survivor,
  merged,
}: {
  readonly survivor: ClusterMember;
  readonly merged: readonly ClusterMember[];
}): Joining => ({ survivorId: survivor.id, mergedIds: merged.map(({ id }) => id) });

const revisionsOf = (members: readonly ClusterMember[]): Map<MemoryId, number> =>
  new Map(members.map(({ id, revision }) => [id, revision]));
