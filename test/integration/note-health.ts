import { randomUUID } from 'node:crypto';
import { resolveSettings } from '@tempera/core';
import { healthStep } from '../../apps/worker/src/nightly/health-step.js';
import type { PageEffect, PageSpan } from '../../apps/worker/src/nightly/page.js';
import { asSuperuser } from '../support/cluster.js';
import type { TestDatabase } from '../support/database.js';

/** Notes the health of the one tenant there is: all pages of the step, as a night of that date has them. @returns places noted */
export const noteHealth = async ({ doors, adminUrl }: TestDatabase, runDate: string): Promise<number> => {
  const [tenant] = await asSuperuser(
    adminUrl,
    async (client) => (await client.query<{ id: string }>('select id from tenant')).rows,
  );
  const run = { tenantId: tenant?.id ?? '', runId: randomUUID(), runDate };
  const settings = resolveSettings();
  const step = healthStep(settings, () => Promise.resolve(settings));
  let [after, measured]: [string | null, number] = [null, 0];
  do {
    const span: PageSpan = { after, limit: 500, without: [] };
    const page = await step.prepare(span);
    const effect: PageEffect = await doors.asWorker(run.tenantId, (tx) => page(tx, run, span));
    measured += effect.report.measured ?? 0;
    after = effect.after;
  } while (after !== null);
  return measured;
};
