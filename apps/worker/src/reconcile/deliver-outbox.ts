import {
  completeOutbox,
  type Doors,
  type Logger,
  type OutboxClaim,
  postponeOutbox,
  wantedSchedule,
} from '@tempera/platform';
import type { Schedules } from '../schedules.js';
import type { SignalDistil } from '../distil/signal-distil.js';
import type { NightlyStarter } from './start-nightly.js';

export interface ReconcileTools {
  readonly doors: Pick<Doors, 'asSystem' | 'asWorker'>;
  readonly schedules: Schedules;
  readonly nights: NightlyStarter;
  readonly signalDistil: SignalDistil;
  readonly logger: Logger;
  readonly now: () => Date;
}

const BATCH = 50;
/** How long a claimed row is held: longer than any call to the engine takes. */
const LEASE_SECONDS = 60;
const MAX_DELAY_SECONDS = 60;

/**
 * Tells the workflow engine what the outbox holds. A row is done only when the engine has it, so a crash in between means
 * that the engine is told again, and both kinds of news can be told twice.
 * @returns how many rows there were
 */
export const deliverOutbox = async (tools: ReconcileTools): Promise<number> => {
  const claims = await tools.doors.asSystem.claimOutbox(
    ['maintenance.requested', 'schedule.changed', 'distil', 'distil.now'],
    BATCH,
    LEASE_SECONDS,
  );
  for (const claim of claims) await deliver(claim, tools);
  return claims.length;
};

const deliver = async (claim: OutboxClaim, tools: ReconcileTools): Promise<void> => {
  const { doors, logger } = tools;
  const { tenantId, id, kind, attempts } = claim;
  try {
    await tell(claim, tools);
    await doors.asWorker(tenantId, (tx) => completeOutbox(tx, id));
  } catch (error) {
    logger.warn({ err: error, outboxId: id, kind, attempts }, 'the workflow engine could not be told; trying again');
    const delay = Math.min(MAX_DELAY_SECONDS, 2 ** Math.min(attempts, 10));
    await doors.asWorker(tenantId, (tx) => postponeOutbox(tx, id, 'engine-unreachable', delay));
  }
};

const tell = async ({ kind, tenantId, id, subjectId }: OutboxClaim, tools: ReconcileTools): Promise<void> => {
  switch (kind) {
    case 'maintenance.requested':
      return tools.nights.request(id, { tenantId, runId: subjectId });
    case 'schedule.changed': {
      const wanted = await tools.doors.asWorker(tenantId, (tx) => wantedSchedule(tx, tenantId));
      return wanted === null ? tools.schedules.remove(tenantId) : tools.schedules.ensure(tenantId, wanted);
    }
    case 'distil':
    case 'distil.now':
      return tools.signalDistil({ tenantId, conversationId: subjectId }, kind === 'distil.now');
    case 'memory.embed':
      throw new Error('The worker claims no texts.');
  }
};
