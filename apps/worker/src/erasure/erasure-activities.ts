import { Context } from '@temporalio/activity';
import { type Doors, eraseBatch, type ErasureActivities, type ErasureRef, type Logger } from '@tempera/platform';
import { asFailure } from '../activities/as-failure.js';
import { attemptContext } from '../activities/create-activities.js';

export interface ErasureTools {
  readonly doors: Pick<Doors, 'asWorker'>;
  readonly now: () => Date;
  /** After this long a call begins no further batch. */
  readonly callMs: number;
  readonly logger: Logger;
  readonly newId: () => string;
}

/** Rows of one transaction; the database takes fewer of those that much hangs on. */
const ROWS = 500;

/** The activity of an erasure. What is done, and how far it has got, the database knows. */
export const createErasureActivities = (tools: ErasureTools): ErasureActivities => ({
  eraseRows: async (ref) => {
    try {
      return await eraseRows(tools, ref);
    } catch (error) {
      throw asFailure(error, attemptContext(tools));
    }
  },
});

const eraseRows = async (
  { doors, now, callMs, logger }: ErasureTools,
  { tenantId, erasureId }: ErasureRef,
): Promise<boolean> => {
  const endsAt = now().getTime() + callMs;
  const context = Context.current();
  do {
    context.cancellationSignal.throwIfAborted();
    context.heartbeat();
    if (await doors.asWorker(tenantId, (tx) => eraseBatch(tx, tenantId, erasureId, ROWS))) {
      logger.info({ tenantId, erasureId }, 'an erasure is over');
      return false;
    }
  } while (now().getTime() < endsAt);
  return true;
};
