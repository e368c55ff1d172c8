import type { MemoryId } from '@tempera/core';
import { appendAudit, insertUpkeepRun, lockMemories, pageOfUpkeep, pruneMemories, type Tx } from '@tempera/platform';
import { type Judged, judge, type LookOverRequest } from './look-over.js';

/** What was archived, and the run by which it is undone; null where nothing was left to do. */
export interface Pruned {
  readonly runId: string | null;
  readonly ids: ReadonlySet<MemoryId>;
}

/**
 * Archives what was found to be prunable, if it still is: what was pinned, found helpful or asked for since stays. As the
 * caller; the worker's nightly step asks the same rules. @throws a refusal of the database for who may not
 */
export const pruneAgain = async (
  tx: Tx,
  request: Pick<LookOverRequest, 'caller' | 'place' | 'limits' | 'now'>,
  found: readonly Judged[],
): Promise<Pruned> => {
  const { caller, place, now } = request;
  const { tenantId, userId } = caller;
  const ids = found.map(({ id }) => id);
  await lockMemories(tx, tenantId, ids);
  const rows = await pageOfUpkeep(tx, place.scope, { after: null, limit: ids.length, now, ids });
  const prunable = rows.map((row) => judge(row, request)).filter(({ reasons }) => reasons.length > 0);
  if (prunable.length === 0) return { runId: null, ids: new Set() };
  const { projectId } = place.scope;
  const runId = await insertUpkeepRun(tx, { tenantId, kind: 'cleanup', projectId, madeBy: userId });
  const pruned = await pruneMemories(tx, tenantId, runId, prunable, now);
  if (projectId !== null) {
    const details = { memories: pruned.length };
    await appendAudit(tx, { action: 'memories.pruned', subjectKind: 'upkeep-run', subjectId: runId, details });
  }
  return { runId, ids: new Set(pruned) };
};
