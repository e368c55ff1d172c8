import { AppError } from '@tempera/client-kit';
import { belongTogether, type MemoryId } from '@tempera/core';
import {
  borrowLoans,
  insertMemory,
  joinContent,
  type MemoryAudience,
  type MemoryContent,
  type MemoryRecord,
  titleOf,
  toMember,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import type { EmbeddedNow } from '../memories/capture-embedder.js';
import { keepVectors, searchable } from '../memories/keep-memory.js';
import { lookAround, type Surroundings } from '../memories/look-around.js';
import { thresholdsOf } from '../memories/replace-words.js';
import { changedMeanwhile, mergeClusters } from '../upkeep/merge-clusters.js';

/** What somebody wrote for both, with its vectors. */
export interface JointWords {
  readonly text: string;
  readonly embedded: EmbeddedNow;
}

export interface MergeSidesRequest {
  readonly caller: Caller;
  /** Both locked, in use, and maintained by the caller. */
  readonly sides: readonly [MemoryRecord, MemoryRecord];
  /** Null: the newer text stays. */
  readonly words: JointWords | null;
  readonly now: Date;
}

/**
 * Merges two memories that contradict each other, as a merge by hand and undone like one: the older into the newer, or
 * both into a new memory with the text that the caller gives. @throws AppError `conflict` for what is not alike
 */
export const mergeSides = async (tx: Tx, request: MergeSidesRequest): Promise<void> => {
  const { caller, sides, words, now } = request;
  const [one, other] = sides;
  if (!belongTogether(toMember(written(one)), toMember(written(other)))) throw notAlike();
  const [newer, older] = isNewer(one, other) ? [one, other] : [other, one];
  const survivorId = words === null ? newer.id : await insertJoint(tx, request, words, [newer, older]);
  const mergedIds = words === null ? [older.id] : [newer.id, older.id];
  const revisions = new Map<MemoryId, number>([
    [survivorId, 1],
    ...sides.map(({ id, revision }) => [id, revision] as const),
  ]);
  const { runId } = await mergeClusters(tx, {
    ...{ caller, kind: 'merge', revisions, now },
    projectId: newer.scope === 'project' ? newer.projectId : null,
    isShared: newer.scope !== 'private',
    joinings: [{ survivorId, mergedIds, isNew: words !== null }],
  });
  if (runId === null) throw changedMeanwhile();
};

const written = (record: MemoryRecord): MemoryRecord & { readonly writtenAt: Date } => ({
  ...record,
  writtenAt: record.textSince,
});

/** Of equally new texts that of the smaller id, as in every merge. */
const isNewer = (one: MemoryRecord, other: MemoryRecord): boolean => {
  const ahead = one.textSince.getTime() - other.textSince.getTime();
  return ahead > 0 || (ahead === 0 && one.id < other.id);
};

/** The new memory is the caller's, for the same people; the two that go into it are not what lies around it. */
const insertJoint = async (
  tx: Tx,
  { caller, now }: MergeSidesRequest,
  { text, embedded }: JointWords,
  [newer, older]: readonly [MemoryRecord, MemoryRecord],
): Promise<MemoryId> => {
  const { tenantId, userId } = caller;
  const content: MemoryContent = { ...joinContent(newer, [older]), title: titleOf(text), text };
  const audience: MemoryAudience = { ...audienceOf(newer), ownerId: userId };
  const id = await insertMemory(tx, {
    ...content,
    ...audience,
    ...searchable(content, embedded),
    ...{ tenantId, sessionId: null, source: 'api', startedAt: now, endedAt: now, now },
  });
  const around = await lookAround(tx, {
    ...{ caller, audience, content, embeddings: embedded.embeddings, endedAt: now, now, except: id },
    ...{ mayMerge: false, mayRetire: false },
    thresholds: await thresholdsOf(tx, caller, newer),
  });
  const rest = without(around, new Set([newer.id, older.id]));
  await keepVectors(tx, { caller, draft: content, embedded, around: rest, now }, id, 1);
  await borrowLoans(tx, id, now);
  return id;
};

const audienceOf = ({ scope, ownerId, projectId, groupId }: MemoryRecord): MemoryAudience => ({
  scope,
  ownerId,
  projectId,
  groupId,
});

const without = (around: Surroundings, gone: ReadonlySet<MemoryId>): Surroundings => ({
  ...around,
  neighbours: around.neighbours.filter(({ id }) => !gone.has(id)),
  near: around.near.filter(({ record }) => !gone.has(record.id)),
  conflicts: around.conflicts.filter(({ record }) => !gone.has(record.id)),
});

const notAlike = (): AppError =>
  new AppError(
    'conflict',
    'not-alike',
    'The two are not merged: they differ in who sees them, in kind, or in how the work ended.',
  );
