import { Inject, Injectable } from '@nestjs/common';
import { asId, type Cluster, type MemoryId, type PruneLimits } from '@tempera/core';
import {
  type ClusterMember,
  type Doors,
  findClusters,
  type FoundClusters,
  isAcrossAuthors,
  type MemoryRecord,
  readMemories,
  sumOf,
  leastThresholdOf,
} from '@tempera/platform';
import { performance } from 'node:perf_hooks';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { refuse } from '../memories/check-input.js';
import { toMemory } from '../memories/memory.mapper.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { type Deadline, type Judged, type LookedOver, lookOver, type PageWork, pruneLimits } from './look-over.js';
import {
  CLUSTER_SHOWN,
  type JudgedMemory,
  type LookedAt,
  type MemoryCluster,
  type Review,
  SHOWN,
} from './review.types.js';
import { findUpkeepPlace, isOfScope, requireExecute, type UpkeepPlace } from './upkeep-scope.js';

/** A request has ten seconds; a page that was begun is finished, and what was found is read and told. */
const LOOKING_MS = 4_000;

/** Where to look, and from where on. */
export interface Place {
  readonly project: string | null;
  readonly after: string | null;
}

/** By which limits, and what is done with each page once it is known that the caller may look there. */
export interface Looking {
  readonly limitsOf: (place: UpkeepPlace) => PruneLimits;
  readonly begin: (place: UpkeepPlace) => PageWork | null;
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
      ...lookedAt(looked),
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
    const found: FoundClusters[] = [];
    const compared = new Set<MemoryId>();
    const now = this.clock.now();
    const { place, looked } = await this.look(caller, at, {
      limitsOf: pruneLimits,
      begin: (here) => {
        if (toExecute) requireExecute(here);
        return async (ids) => {
          found.push(
            await findClusters({
              ...{ tenantId: caller.tenantId, ids, compared, now, leastThreshold: leastThresholdOf(here.settings) },
              read: (work) => this.doors.asTenant(caller, work),
              settingsOf: (memory) => Promise.resolve(isOfScope(memory, here) ? here.settings : null),
            }),
          );
        };
      },
    });
    return { place, looked, found: sumOf(found) };
  }

  /** Looks at standings, page by page. @throws AppError `not-found` for a project that is not there for the caller */
  async look(
    caller: Caller,
    { project, after }: Place,
    { limitsOf, begin }: Looking,
  ): Promise<{ readonly place: UpkeepPlace; readonly looked: LookedOver }> {
    const deadline: Deadline = { now: () => performance.now(), at: performance.now() + LOOKING_MS };
    const first = after === null ? null : parseUuid(after);
    if (after !== null && first === null) throw refuse('not-an-id', '`after` is the `nextAfter` of an answer.');
    const place = await this.doors.asTenant(caller, (tx) => findUpkeepPlace(tx, caller, project));
    const withPage = begin(place);
    const request = {
      ...{ caller, place, limits: limitsOf(place), now: this.clock.now(), deadline },
      after: first === null ? null : asId<MemoryId>(first),
      ...(withPage === null ? {} : { withPage }),
    };
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

/** How much was looked at. */
export const lookedAt = ({ judged, total, nextAfter }: LookedOver): LookedAt => ({
  analysed: judged.length,
  total,
  complete: nextAfter === null,
  nextAfter,
});
