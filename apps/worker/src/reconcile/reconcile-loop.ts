import { withRequestId } from '@tempera/platform';
import { setTimeout as wait } from 'node:timers/promises';
import { deliverOutbox, type ReconcileTools } from './deliver-outbox.js';
import { reconcileTenants } from './reconcile-tenants.js';
import { type ProcessIdentity, Upkeep } from './upkeep.js';

/** A person who asks for a run should see it start; an empty look costs one indexed query. */
const POLL_MS = 500;
const MAX_POLL_MS = 10_000;
const TENANTS_EVERY_MS = 10 * 60_000;
/** Three signs of life within the half minute after which a worker counts as gone. */
const UPKEEP_EVERY_MS = 5_000;

/**
 * Keeps the workflow engine in line with the database until the signal aborts: outbox at once, tenants at start and every
 * ten minutes, upkeep every five seconds. Nothing ends it but the signal; while the database or the engine is away it asks less often.
 */
export const reconcileUntil = (signal: AbortSignal, tools: ReconcileTools, identity: ProcessIdentity): Promise<void> =>
  withRequestId('reconciler', () => turnUntil(signal, tools, identity));

const turnUntil = async (signal: AbortSignal, tools: ReconcileTools, identity: ProcessIdentity): Promise<void> => {
  const upkeep = new Upkeep(tools, identity);
  let tenantsDueAt = 0;
  let upkeepDueAt = 0;
  let pauseMs = POLL_MS;
  while (!signal.aborted) {
    try {
      if (tools.now().getTime() >= tenantsDueAt) {
        await reconcileTenants(tools);
        tenantsDueAt = tools.now().getTime() + TENANTS_EVERY_MS;
      }
      await deliverOutbox(tools);
      if (tools.now().getTime() >= upkeepDueAt) {
        await upkeep.round(signal);
        upkeepDueAt = tools.now().getTime() + UPKEEP_EVERY_MS;
      }
      pauseMs = POLL_MS;
    } catch (error) {
      tools.logger.warn({ err: error }, 'the database or the workflow engine does not answer; trying again');
      pauseMs = Math.min(MAX_POLL_MS, pauseMs * 2);
    }
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};
