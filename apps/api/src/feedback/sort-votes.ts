import { isAppError } from '@tempera/client-kit';
import { asId, type MemoryId, type ProjectId, type RetrievalId } from '@tempera/core';
import {
  findProjects,
  latestRetrievals,
  latestVotes,
  type MemoryRecord,
  readMemories,
  readQuestion,
  shownBy,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { resolveId } from '../memories/memories.service.js';
import { noSuchMemory } from '../memories/no-such-memory.js';

/** What the caller asks to vote on. */
export interface Ballot {
  readonly ids: readonly string[];
  /** The answer that showed them; null for the latest that did. */
  readonly retrievalId: string | null;
  readonly withdraw: boolean;
}

/** A vote that may be given or taken back. */
export interface AcceptedVote {
  readonly memoryId: MemoryId;
  readonly retrievalId: RetrievalId;
  /** What was asked; null where nothing was said in words, or they have been purged. */
  readonly question: string | null;
}

export interface Refusal {
  readonly id: string;
  readonly reason: string;
}

export interface SortedBallot {
  readonly accepted: readonly AcceptedVote[];
  readonly rejected: readonly Refusal[];
}

const NO_SUCH_MEMORY = noSuchMemory().message;
const ARCHIVED = 'Its project is archived; restore that first.';

/** Parts what can be voted on from what cannot, each with its reason. A hidden memory is refused like a missing one. */
export const sortBallot = async (tx: Tx, caller: Caller, ballot: Ballot): Promise<SortedBallot> => {
  const { visible, rejected } = await findVisible(tx, caller, ballot);
  const answers = await answersFor(tx, caller, ballot, [...visible.keys()]);
  const questions = new Map<RetrievalId, string | null>();
  for (const retrievalId of new Set(answers.values())) {
    questions.set(retrievalId, await readQuestion(tx, caller.tenantId, retrievalId));
  }
  const accepted: AcceptedVote[] = [];
  for (const [memoryId, id] of visible) {
    const retrievalId = answers.get(memoryId);
    if (retrievalId === undefined) rejected.push({ id, reason: reasonFor(ballot) });
    else accepted.push({ memoryId, retrievalId, question: questions.get(retrievalId) ?? null });
  }
  return { accepted, rejected };
};

const findVisible = async (
  tx: Tx,
  caller: Caller,
  { ids, withdraw }: Ballot,
): Promise<{ visible: Map<MemoryId, string>; rejected: Refusal[] }> => {
  const found = new Map<MemoryId, string>();
  const rejected: Refusal[] = [];
  for (const id of ids) {
    const { memoryId, reason } = await tryResolve(tx, caller, id);
    if (memoryId === null) rejected.push({ id, reason });
    else found.set(memoryId, id);
  }
  const records = await readMemories(tx, caller.tenantId, [...found.keys()]);
  const archived = withdraw ? new Set<ProjectId>() : await archivedAmong(tx, caller, [...records.values()]);
  const visible = new Map<MemoryId, string>();
  for (const [memoryId, id] of found) {
    const record = records.get(memoryId);
    if (record === undefined) rejected.push({ id, reason: NO_SUCH_MEMORY });
    else if (record.projectId !== null && archived.has(record.projectId)) rejected.push({ id, reason: ARCHIVED });
    else visible.set(memoryId, id);
  }
  return { visible, rejected };
};

/** Archived projects that share one of the memories: their votes stay as they are, but may be taken back. */
const archivedAmong = async (
  tx: Tx,
  { tenantId }: Caller,
  records: readonly MemoryRecord[],
): Promise<ReadonlySet<ProjectId>> => {
  const ids = records.flatMap(({ scope, projectId }) => (scope === 'project' && projectId !== null ? [projectId] : []));
  const projects = await findProjects(tx, tenantId, [...new Set(ids)]);
  return new Set(projects.filter(({ archivedAt }) => archivedAt !== null).map(({ id }) => id));
};

const tryResolve = async (
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<{ memoryId: MemoryId | null; reason: string }> => {
  try {
    return { memoryId: await resolveId(tx, caller, id), reason: NO_SUCH_MEMORY };
  } catch (error) {
    // A short id that could be several memories refuses itself, not the others of the ballot.
    if (isAppError(error) && error.kind === 'conflict') return { memoryId: null, reason: error.message };
    throw error;
  }
};

const answersFor = async (
  tx: Tx,
  { tenantId, userId }: Caller,
  { retrievalId, withdraw }: Ballot,
  memoryIds: readonly MemoryId[],
): Promise<Map<MemoryId, RetrievalId>> => {
  if (retrievalId === null) {
    return withdraw ? latestVotes(tx, tenantId, userId, memoryIds) : latestRetrievals(tx, tenantId, userId, memoryIds);
  }
  const uuid = parseUuid(retrievalId);
  if (uuid === null) return new Map();
  const named = asId<RetrievalId>(uuid);
  const shown = await shownBy(tx, tenantId, named, memoryIds);
  return new Map([...shown].map((memoryId) => [memoryId, named]));
};

const reasonFor = ({ retrievalId, withdraw }: Ballot): string => {
  if (retrievalId !== null) return 'That answer did not show it to you.';
  return withdraw ? 'You have no vote on it.' : 'It was never shown to you; ask first, then vote on what helped.';
};
