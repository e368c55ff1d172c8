import {
  daysBetween,
  isStale,
  type MemoryId,
  pruneReasons,
  type PruneLimits,
  type PruneReason,
  type StaleLimits,
} from '@tempera/core';
import { countUpkeep, type Doors, pageOfUpkeep, type UpkeepRow } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { assessStanding } from '../memories/memory.mapper.js';
import type { UpkeepPlace } from './upkeep-scope.js';

/** One statement reads so many; none comes near the three seconds that it has. */
const PAGE = 500;

/** When to stop: a monotonic clock in milliseconds, and the moment on it. */
export interface Deadline {
  readonly now: () => number;
  readonly at: number;
}

/** A memory as its standing shows it. */
export interface Judged {
  readonly id: MemoryId;
  readonly utility: number;
  readonly daysUnused: number;
  readonly isStale: boolean;
  readonly reasons: readonly PruneReason[];
}

/** What is done with the memories of a page. */
export type PageWork = (ids: readonly MemoryId[]) => Promise<void>;

export interface LookOverRequest {
  readonly caller: Caller;
  readonly place: UpkeepPlace;
  readonly limits: PruneLimits;
  /** Begin after this one. */
  readonly after: MemoryId | null;
  readonly now: Date;
  readonly deadline: Deadline;
  /** What is done with each page before the next; the time for it counts. */
  readonly withPage?: PageWork;
}

/** What was looked at, in order of id. */
export interface LookedOver {
  readonly judged: readonly Judged[];
  /** All of the scope. */
  readonly total: number;
  readonly conflicts: number;
  /** Where to go on; null where nothing is left. */
  readonly nextAfter: MemoryId | null;
}

/** Looks at every memory of a scope, page by page, until the time is over. */
export const lookOver = async (doors: Doors, request: LookOverRequest): Promise<LookedOver> => {
  const { caller, place, now, deadline } = request;
  const { memories, conflicts } = await doors.asTenant(caller, (tx) => countUpkeep(tx, place.scope, now));
  const judged: Judged[] = [];
  let after = request.after;
  for (;;) {
    const begin = after;
    const rows = await doors.asTenant(caller, (tx) =>
      pageOfUpkeep(tx, place.scope, { after: begin, limit: PAGE, now }),
    );
    for (const row of rows) judged.push(judge(row, request));
    await request.withPage?.(rows.map(({ id }) => id));
    after = rows.length < PAGE ? null : (rows.at(-1)?.id ?? null);
    if (after === null || deadline.now() > deadline.at) break;
  }
  return { judged, total: memories, conflicts, nextAfter: after };
};

/** What the rules say of one memory. */
export const judge = (
  row: UpkeepRow,
  { place, limits, now }: Pick<LookOverRequest, 'place' | 'limits' | 'now'>,
): Judged => {
  const standing = { ...row, noneRate: place.settings.bellman.decayRate };
  const { utility } = assessStanding(standing, now);
  // What was imported tells of years ago: it fades for everybody, but nobody has had the time to need it.
  const { utility: here } = assessStanding({ ...standing, lastUsefulAt: row.unusedSince }, now);
  const daysUnused = daysBetween(row.unusedSince, now);
  const prunable = {
    ...row,
    utility: here,
    ageDays: daysBetween(row.inUseSince, now),
    helpfulVotes: row.helpfulVoters,
  };
  return {
    id: row.id,
    utility,
    daysUnused,
    isStale: isStale({ pinned: row.pinned, utility: here, daysSinceUseful: daysUnused }, staleLimits(place)),
    reasons: pruneReasons(prunable, limits),
  };
};

const staleLimits = ({ settings: { storage } }: UpkeepPlace): StaleLimits => ({
  ageDays: storage.staleAgeDays,
  utility: storage.staleUtilityThreshold,
});

/** What the settings call prunable. */
export const pruneLimits = ({ settings: { storage } }: UpkeepPlace): PruneLimits => ({
  maxAgeDays: storage.maxAgeDays,
  minUtility: storage.minUtilityThreshold,
  minRetrievals: storage.minRetrievals,
});
