import { Inject, Injectable } from '@nestjs/common';
import { type Cluster, type MemoryId, type PruneLimits } from '@tempera/core';
import { type Doors, type MemoryRecord, readMemories } from '@tempera/platform';
import { performance } from 'node:perf_hooks';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { refuse } from '../memories/check-input.js';
import { toMemory } from '../memories/memory.mapper.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { type ClusterMember, findClusters, type FoundClusters, isAcrossAuthors } from './find-clusters.js';
import { type Deadline, type Judged, type LookedOver, lookOver, pruneLimits } from './look-over.js';
import {
  CLUSTER_SHOWN,
  type JudgedMemory,
  type LookedAt,
  type MemoryCluster,
  type Review,
  SHOWN,
} from './review.types.js';
import { findUpkeepPlace, requireExecute, type UpkeepPlace } from './upkeep-scope.js';

/** A request has ten seconds; looking at standings takes up to a part of these, comparing texts up to all. */
const LOOKING_MS = 2_500;
const COMPARING_MS = 5_000;

/** Where to look, and from where on. */
export interface Place {
  readonly project: string | null;
  readonly after: string | null;
}

/** What was found, before anything is said or done about it. */
export interface Analysis {
  readonly place: UpkeepPlace;
  readonly looked: LookedOver;
  readonly found: FoundClusters;
}

/** Says what could be done about memories that repeat each other or are of no use. It changes nothing. */
@Injectable()
export class ReviewService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `not-found` for a project that is not there for the caller */
  async review(caller: Caller, at: Place): Promise<Review> {
    const { place, looked, found } = await this.analyse(caller, at);
    const stale = looked.judged.filter(({ isStale }) => isStale).sort((one, other) => one.utility - other.utility);
    const prunable = looked.judged.filter(({ reasons }) => reasons.length > 0);
    const proposals = found.joint.filter(isAcrossAuthors);
    return {
      project: place.slug,
      mayExecute: place.mayExecute,
      ...lookedAt(looked, found),
      stale: await this.showJudged(caller, stale.slice(0, SHOWN)),
      staleCount: stale.length,
      prunable: await this.showJudged(caller, prunable.slice(0, SHOWN)),
      prunableCount: prunable.length,
      clusters: await this.showClusters(caller, found.clusters.slice(0, SHOWN)),
      clusterCount: found.clusters.length,
      proposals: await this.showClusters(caller, proposals.slice(0, SHOWN)),
      proposalCount: proposals.length,
      guarded: found.guarded,
      conflicts: looked.conflicts,
    };
  }

  /**
   * Looks at standings, then compares what lies near each other.
   * @param toExecute somebody is about to act on it. @throws AppError `forbidden` where that is not the caller's
   */
  async analyse(caller: Caller, at: Place, toExecute = false): Promise<Analysis> {
    const begun = performance.now();
    const { place, looked } = await this.look(caller, at, pruneLimits);
    if (toExecute) requireExecute(place);
    const ids = looked.judged.map(({ id }) => id);
    const deadline = { now: () => performance.now(), at: begun + COMPARING_MS };
    const found = await findClusters(this.doors, { caller, place, ids, now: this.clock.now(), deadline });
    return { place, looked, found };
  }

  /** Looks at standings alone. @throws AppError `not-found` for a project that is not there for the caller */
  async look(
    caller: Caller,
    { project, after }: Place,
    limitsOf: (place: UpkeepPlace) => PruneLimits,
  ): Promise<{ readonly place: UpkeepPlace; readonly looked: LookedOver }> {
    const deadline: Deadline = { now: () => performance.now(), at: performance.now() + LOOKING_MS };
    const begin = after === null ? null : (parseUuid(after) as MemoryId | null);
    if (after !== null && begin === null) throw refuse('not-an-id', '`after` is the `nextAfter` of an answer.');
    const place = await this.doors.asTenant(caller, (tx) => findUpkeepPlace(tx, caller, project));
    const request = { caller, place, limits: limitsOf(place), after: begin, now: this.clock.now(), deadline };
    return { place, looked: await lookOver(this.doors, request) };
  }

  async showJudged(caller: Caller, judged: readonly Judged[]): Promise<JudgedMemory[]> {
    const records = await this.read(
      caller,
      judged.map(({ id }) => id),
    );
    return judged.flatMap(({ id, utility, daysUnused, reasons }) => {
      const record = records.get(id);
      return record === undefined
        ? []
        : [{ memory: this.show(caller, record), utility, daysUnused, reasons: [...reasons] }];
    });
  }

  async showClusters(caller: Caller, clusters: readonly Cluster<ClusterMember>[]): Promise<MemoryCluster[]> {
    const ids = clusters.flatMap(({ survivor, merged }) => [survivor.id, ...merged.map(({ id }) => id)]);
    const records = await this.read(caller, ids);
    return clusters.flatMap(({ survivor, merged, similarity }) => {
      const stays = records.get(survivor.id);
      const goes = merged.flatMap(({ id }) => records.get(id) ?? []);
      if (stays === undefined || goes.length === 0) return [];
      return [
        {
          survivor: this.show(caller, stays),
          merged: goes.slice(0, CLUSTER_SHOWN).map((record) => this.show(caller, record)),
          similarity,
          acrossAuthors: goes.some(({ ownerId }) => ownerId !== stays.ownerId),
        },
      ];
    });
  }

  private show(caller: Caller, record: MemoryRecord): ReturnType<typeof toMemory> {
    return toMemory(record, caller.userId, this.clock.now());
  }

  private read(caller: Caller, ids: readonly MemoryId[]): Promise<Map<MemoryId, MemoryRecord>> {
    return this.doors.asTenant(caller, (tx) => readMemories(tx, caller.tenantId, ids));
  }
}

/** How much was looked at. What there was no time to compare is found again by looking from the beginning. */
export const lookedAt = ({ judged, total, nextAfter }: LookedOver, found?: FoundClusters): LookedAt => ({
  analysed: judged.length,
  total,
  complete: nextAfter === null && (found?.groupsLeft ?? 0) === 0,
  nextAfter,
});
