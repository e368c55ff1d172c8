import {
  type Assessment,
  assess,
  daysBetween,
  type MemoryId,
  resolveSettings,
  type Settings,
  type UserId,
} from '@tempera/core';
import type { MemoryRecord, MemoryStanding } from '@tempera/platform';
import type { Memory } from './memory.types.js';
import type { Utility } from './utility.types.js';

const DEFAULT_SETTINGS: Settings = resolveSettings();

/** From this many people on a number is told; below it, it would say who. */
const PEOPLE_TO_TELL = 3;

/** A number of people as an outsider may know it: null stands for "someone", or no one. */
export const peopleOrNull = (people: number): number | null => (people >= PEOPLE_TO_TELL ? people : null);

/** Everything a memory's standing amounts to at a moment. */
export const assessStanding = (
  standing: MemoryStanding & Pick<MemoryRecord, 'validity' | 'pinned' | 'noneRate'>,
  now: Date,
): Assessment =>
  assess({
    votes: { helpful: standing.helpful, unhelpful: standing.unhelpful },
    credit: standing.credit,
    propagated: standing.propagated,
    reached: standing.reached,
    validity: standing.validity,
    pinned: standing.pinned,
    daysSinceUseful: daysBetween(standing.lastUsefulAt, now),
    noneRate: standing.noneRate ?? DEFAULT_SETTINGS.bellman.decayRate,
  });

const toUtility = (record: MemoryRecord, now: Date): Utility => {
  const { utility, evidence, credit, lent, fade } = assessStanding(record, now);
  return {
    utility,
    evidence,
    helpfulWeight: record.helpful,
    unhelpfulWeight: record.unhelpful,
    foundHelpful: record.helpfulVoters > 0,
    helpfulPeople: peopleOrNull(record.helpfulVoters),
    credit,
    // Propagation starts a source at what it earned itself; nobody lends it that.
    lent: record.lentFrom === null ? 0 : lent,
    lentFrom: lent > 0 ? record.lentFrom : null,
    fade,
    retrievals: record.askedRetrievals,
  };
};

/** A stored memory as the caller is shown it. */
export const toMemory = (record: MemoryRecord, viewerId: UserId, now: Date): Memory => ({
  ownerId: record.ownerId,
  writtenBy: record.writtenBy,
  writtenAs: record.writtenAs,
  projectId: record.projectId,
  groupId: record.groupId,
  id: record.id,
  kind: record.kind,
  scope: record.scope,
  state: record.state,
  stateSince: record.stateSince,
  stateReason: record.stateReason,
  mergedInto: record.mergedInto,
  refutedBy: record.refutedBy,
  title: record.title,
  text: record.text,
  mine: record.ownerId === viewerId,
  taskType: record.taskType,
  outcome: record.outcome,
  tags: record.tags,
  filesModified: record.filesModified,
  errorsResolved: record.errorsResolved,
  alternatives: record.alternatives,
  validity: record.validity,
  verification: record.verification,
  pinned: record.pinned,
  expiresAt: record.expiresAt,
  validFrom: record.validFrom,
  validTo: record.validTo,
  supersededBy: record.supersededBy,
  supersededAt: record.supersededAt,
  sessionId: record.sessionId,
  revision: record.revision,
  proofCount: record.proofCount,
  embeddingState: record.embeddingState,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  utility: toUtility(record, now),
});

/** Those of some ids that were read, in the order of the ids. */
export const inOrderOf = (ids: readonly MemoryId[], records: ReadonlyMap<MemoryId, MemoryRecord>): MemoryRecord[] =>
  ids.flatMap((id) => records.get(id) ?? []);
