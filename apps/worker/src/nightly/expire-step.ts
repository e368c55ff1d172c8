import { archiveExpired, pageOfExpired, recordChanges } from '@tempera/platform';
import { lastOf, memoriesOf, unprepared, type StepWork } from './page.js';

/** Archives what was meant to hold until a day that is over. */
export const expireStep = (now: () => Date): StepWork => ({
  memories: async (tx, run, span) => memoriesOf(await pageOfExpired(tx, run, span), span),
  prepare: unprepared(async (tx, run, span) => {
    const rows = await pageOfExpired(tx, run, span);
    const ids = rows.map(({ id }) => id);
    if (run.isDry !== true) await archiveExpired(tx, run.tenantId, ids, now());
    const changes = ids.map((memoryId) => ({
      memoryId,
      action: 'expired' as const,
      reasons: ['expired'],
      intoId: null,
    }));
    await recordChanges(tx, run, 'expire', changes);
    const count = ids.length;
    return { report: { expired: count, looked: count, changed: count }, after: lastOf(rows, span) };
  }),
});
