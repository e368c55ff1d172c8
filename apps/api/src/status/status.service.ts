import { Inject, Injectable } from '@nestjs/common';
import { daysBetween, HIGH_VALUE, isStale, type StaleLimits } from '@tempera/core';
import {
  countPending,
  countStatus,
  type Doors,
  groupByStanding,
  listRuns,
  type MemoryCounts,
  readSettings,
  type StandingGroup,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { assessStanding } from '../memories/memory.mapper.js';
import { showRuns } from '../maintenance/show-runs.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireProject } from '../projects/require-project.js';
import { adviceFor } from './advice.js';
import type { Status } from './status.types.js';

/** How the memory of a project, or of all that the caller sees, is doing. */
@Injectable()
export class StatusService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `not-found` for a project that is not there for the caller */
  async status(caller: Caller, slug: string | null): Promise<Status> {
    const { tenantId, userId } = caller;
    const seen = await this.doors.asTenant(caller, async (tx) => {
      const project = slug === null ? null : await requireProject(tx, tenantId, slug);
      const projectId = project?.id ?? null;
      const counts = await countStatus(tx, tenantId, userId, projectId);
      const { bellman } = await readSettings(tx, tenantId, null);
      const { storage } = await readSettings(tx, tenantId, projectId);
      const standings = await groupByStanding(tx, tenantId, projectId);
      const pending = await countPending(tx, tenantId, projectId, this.clock.now());
      const [lastRun] = await showRuns(tx, tenantId, await listRuns(tx, tenantId, 1, null));
      const groups = standings.map((group) => ({ ...group, noneRate: bellman.decayRate }));
      return { counts, groups, storage, pending, lastRun: lastRun ?? null };
    });
    const now = this.clock.now();
    const limits = { ageDays: seen.storage.staleAgeDays, utility: seen.storage.staleUtilityThreshold };
    const learned = fromGroups(seen.groups, limits, now);
    const status = { project: slug, ...fromCounts(seen.counts), ...learned, ...seen.pending, lastRun: seen.lastRun };
    return { ...status, advice: adviceFor(status, now) };
  }
}

const fromCounts = ({
  memories,
  own,
  shared,
  awaitingEmbedding,
  failedEmbedding,
  lastCaptureAt,
  neverRetrieved,
}: MemoryCounts): Pick<
  Status,
  | 'memories'
  | 'ownMemories'
  | 'sharedMemories'
  | 'awaitingEmbedding'
  | 'failedEmbedding'
  | 'lastCaptureAt'
  | 'neverRetrieved'
  | 'neverRetrievedShare'
> => ({
  memories,
  ownMemories: own,
  sharedMemories: shared,
  awaitingEmbedding,
  failedEmbedding,
  lastCaptureAt,
  neverRetrieved,
  neverRetrievedShare: memories === 0 ? 0 : neverRetrieved / memories,
});

type Learned = Pick<
  Status,
  'retrievals' | 'helpfulVotes' | 'unhelpfulVotes' | 'feedbackRate' | 'highValue' | 'meanUtility' | 'stale'
>;

/**
 * People and retrievals as the memories count them, of the whole team: the rows of others' votes and questions are nobody
 * else's to read. What a memory earned itself counts as proved; what others lend it does not.
 */
const fromGroups = (
  groups: readonly (StandingGroup & { readonly noneRate: number })[],
  limits: StaleLimits,
  now: Date,
): Learned => {
  const assessed = groups.map((group) => {
    const { utility, base, fade } = assessStanding(group, now);
    const { utility: here } = assessStanding({ ...group, lastUsefulAt: group.unusedSince }, now);
    return { group, utility, here, earned: base * fade };
  });
  const sum = (of: (item: (typeof assessed)[number]) => number): number =>
    assessed.reduce((total, item) => total + of(item) * item.group.count, 0);
  const memories = sum(() => 1);
  const retrievals = sum(({ group }) => group.askedRetrievals);
  const helpfulVotes = sum(({ group }) => group.helpfulVoters);
  return {
    retrievals,
    helpfulVotes,
    unhelpfulVotes: groups.reduce((total, group) => total + group.unhelpfulVoters, 0),
    feedbackRate: retrievals === 0 ? 0 : Math.min(1, helpfulVotes / retrievals),
    highValue: sum(({ earned }) => (earned > HIGH_VALUE ? 1 : 0)),
    stale: sum(({ group, here }) => {
      const daysSinceUseful = daysBetween(group.unusedSince, now);
      return isStale({ pinned: group.pinned, utility: here, daysSinceUseful }, limits) ? 1 : 0;
    }),
    meanUtility: memories === 0 ? 0 : sum(({ utility }) => utility) / memories,
  };
};
