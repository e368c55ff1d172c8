import { AppError } from '@tempera/client-kit';
import { mayMerge } from '@tempera/core';
import {
  borrowLoans,
  findNear,
  fullTextOf,
  type MemoryContent,
  type MemoryRecord,
  promiseEmbedding,
  readSettings,
  replaceText,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type EmbeddedNow, LATER } from './capture-embedder.js';
import { keepVectors, searchable } from './keep-memory.js';
import { lookAround, type Surroundings } from './look-around.js';
import { reaches, type Thresholds } from './meet.js';
import { hasOtherWords } from './parse-edit.js';

/** Where nothing new was said, nothing is looked for. */
export const NOTHING_AROUND: Surroundings = {
  neighbours: [],
  mergeTarget: null,
  near: [],
  conflicts: [],
  superseded: [],
};

/** By whom, and when. */
interface Moment {
  readonly caller: Caller;
  readonly now: Date;
}

/** A memory, and what it shall say. */
export interface Replacement {
  readonly record: MemoryRecord;
  readonly content: MemoryContent;
  readonly embedded: EmbeddedNow | null;
}

/**
 * Puts the edited content in the place of the present one and finds what lies around new words.
 * @throws AppError `conflict` where the memory changed meanwhile
 */
export const replaceWords = async (tx: Tx, request: Moment, replacement: Replacement): Promise<Surroundings> => {
  const { caller, now } = request;
  const { record, content } = replacement;
  const { tenantId } = caller;
  const { id, revision } = record;
  const hasWords = hasOtherWords(record, content);
  // The words can only have changed with the revision, which was checked; so there are vectors wherever they are needed.
  const embedded = replacement.embedded ?? LATER;
  const around = hasWords ? await lookAroundEdited(tx, request, { ...replacement, embedded }) : NOTHING_AROUND;
  const found = searchable(content, embedded);
  const next = await replaceText(tx, {
    ...content,
    ...found,
    embeddingState: hasWords ? found.embeddingState : record.embeddingState,
    ...{ tenantId, id, revision, now, writtenAs: 'edited' },
    saysOther: hasWords && (await saysOther(tx, caller, { ...replacement, embedded })),
  });
  if (next === null)
    throw new AppError('conflict', 'stale-revision', 'The memory changed meanwhile; look at it again.');
  if (hasWords) {
    await keepVectors(tx, { caller, draft: content, embedded, around, now }, id, next);
    await borrowLoans(tx, id, now);
  }
  // What was being read is of the revision before.
  else if (record.embeddingState !== 'ready') await promiseEmbedding(tx, tenantId, id, now);
  return around;
};

/** What a project has set to be near, for what is in it. */
export const thresholdsOf = async (
  tx: Tx,
  { tenantId }: Pick<Caller, 'tenantId'>,
  { projectId }: Pick<MemoryRecord, 'projectId'>,
): Promise<Thresholds> => {
  const { storage } = await readSettings(tx, tenantId, projectId);
  return { merge: storage.consolidationThreshold, cluster: storage.clusterThreshold };
};

const lookAroundEdited = async (
  tx: Tx,
  { caller, now }: Moment,
  { record, content, embedded }: Replacement,
): Promise<Surroundings> =>
  lookAround(tx, {
    caller,
    audience: record,
    content,
    embeddings: embedded?.embeddings ?? [],
    mayMerge: false,
    // An edit says something else of its own; what it takes the place of, its writer says.
    mayRetire: false,
    endedAt: record.endedAt,
    thresholds: await thresholdsOf(tx, caller, record),
    now,
    except: record.id,
  });

/** Whether votes for the old words are about something else: what a capture would not merge. */
const saysOther = async (tx: Tx, caller: Caller, { record, content, embedded }: Replacement): Promise<boolean> => {
  if (!mayMerge(fullTextOf(record), fullTextOf(content))) return true;
  const embeddings = embedded?.embeddings ?? [];
  const { tenantId } = caller;
  // Without vectors of both the guard alone speaks.
  if (embeddings.length === 0 || record.embeddingState !== 'ready') return false;
  // Below the edge threshold nothing is found, which is far from merging.
  const [itself] = await findNear(tx, { tenantId, audience: record, embeddings, only: record.id, limit: 10 });
  return (
    itself === undefined ||
    !reaches(itself, { embeddings, thresholds: await thresholdsOf(tx, caller, record) }, 'merge')
  );
};
