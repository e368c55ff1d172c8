import {
  asId,
  assess,
  type MemoryId,
  pruneReasons,
  type PruneReason,
  type Settings,
  type TenantId,
} from '@tempera/core';
import {
  pageOfPrunable,
  placeOf,
  type PrunableOnDate,
  pruneMemories,
  recordChanges,
  type Tx,
  undoRunOf,
} from '@tempera/platform';
import type { RunRef } from '@tempera/platform/temporal/contract';
import { inPlaces } from './in-places.js';
import { lastOf, memoriesOf, unprepared, type StepWork } from './page.js';
import type { ProjectSettings } from './project-settings.js';

/** Archives what nobody needs, by the rules of a cleanup by hand, each project under its own settings; people can take it back. */
export const pruneStep = (now: () => Date, settingsOf: ProjectSettings): StepWork => ({
  memories: async (tx, run, span) => memoriesOf(await pageOfPrunable(tx, run, span), span),
  prepare: unprepared(async (tx, run, span) => {
    const rows = await pageOfPrunable(tx, run, span);
    const found: Pruned[] = [];
    for (const row of rows) {
      const reasons = reasonsOf(row, await settingsOf(tx, row.scope === 'project' ? row.projectId : null));
      if (reasons.length > 0) found.push({ row, reasons });
    }
    if (run.isDry !== true) await archive(tx, run, found, now());
    const changes = found.map(({ row, reasons }) => ({
      ...{ memoryId: row.id, action: 'pruned' as const, intoId: null },
      reasons,
    }));
    await recordChanges(tx, run, 'prune', changes);
    return {
      report: { pruned: found.length, looked: rows.length, changed: found.length },
      after: lastOf(rows, span),
    };
  }),
});

interface Pruned {
  readonly row: PrunableOnDate;
  readonly reasons: readonly PruneReason[];
}

const reasonsOf = (row: PrunableOnDate, { bellman, storage }: Settings): PruneReason[] => {
  const votes = { helpful: row.helpful, unhelpful: row.unhelpful };
  const { utility } = assess({ ...row, votes, noneRate: bellman.decayRate });
  return pruneReasons(
    { ...row, utility },
    {
      maxAgeDays: storage.maxAgeDays,
      minUtility: storage.minUtilityThreshold,
      minRetrievals: storage.minRetrievals,
    },
  );
};

const archive = async (tx: Tx, run: RunRef, found: readonly Pruned[], at: Date): Promise<void> => {
  for (const { place, items } of inPlaces(found, ({ row }) => placeOf(row))) {
    const undoRunId = await undoRunOf(tx, run, 'cleanup', place);
    const memories = items.map(({ row, reasons }) => ({ id: asId<MemoryId>(row.id), reasons }));
    await pruneMemories(tx, asId<TenantId>(run.tenantId), undoRunId, memories, at);
  }
};
