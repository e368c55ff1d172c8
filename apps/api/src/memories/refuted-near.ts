import { type MemoryId, mayMerge } from '@tempera/core';
import { findNear, findRefutedTexts, type MemoryAudience, readMemories, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { CLOSE_LIMIT, type CloseMemory, type LookAroundRequest } from './look-around.js';
import { judgeMeeting } from './meet.js';

/** The memory that said the same, but for marks and case that mean nothing, and was found to be false. */
export const findRefutedTwin = async (
  tx: Tx,
  { tenantId }: Pick<Caller, 'tenantId'>,
  audience: MemoryAudience,
  text: string,
): Promise<MemoryId | null> => {
  const found = await findRefutedTexts(tx, { tenantId, audience, text });
  return found.find((refuted) => mayMerge(refuted.text, text))?.id ?? null;
};

/** Memories on the same subject that were found to be false, with why: whoever says something like it is told. */
export const findRefutedNear = async (tx: Tx, request: LookAroundRequest): Promise<CloseMemory[]> => {
  const { caller, audience, content, embeddings, thresholds, endedAt } = request;
  const { tenantId } = caller;
  const near = await findNear(tx, { tenantId, audience, embeddings, refuted: true, limit: CLOSE_LIMIT });
  const ids = near.map(({ id }) => id);
  const records = await readMemories(tx, tenantId, ids);
  const newer = { ...content, projectId: audience.projectId, endedAt };
  return near.flatMap((one) => {
    const record = records.get(one.id);
    if (record === undefined) return [];
    const { relation } = judgeMeeting({ older: record, newer, near: one, embeddings, thresholds }, false);
    if (relation === 'far') return [];
    return [
      { record, similarity: one.cosine, differences: [`refuted: ${record.stateReason ?? 'no reason was given'}`] },
    ];
  });
};
