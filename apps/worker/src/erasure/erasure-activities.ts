import { Context } from '@temporalio/activity';
import { AppError } from '@tempera/client-kit';
import {
  type DeletionRef,
  type Doors,
  eraseBatch,
  type ErasureActivities,
  type ErasureRef,
  type Logger,
} from '@tempera/platform';
import { guardedBy } from '../activities/guarded.js';

export interface ErasureTools {
  readonly doors: Pick<Doors, 'asWorker' | 'asSystem'>;
  readonly now: () => Date;
  /** After this long a call begins no further batch. */
  readonly callMs: number;
  readonly logger: Logger;
  readonly newId: () => string;
}

/** Rows of one transaction; of a person the database takes fewer of those that much hangs on. */
const ROWS_OF_PERSON = 500;
const ROWS_OF_TENANT = 1_000;
const FEWEST_ROWS = 10;

/** A batch that the database did not end in time is undone, so each further attempt takes a quarter as many: else none would count. */
const rowsOfAttempt = (most: number): number =>
  Math.max(FEWEST_ROWS, Math.floor(most / 4 ** (Context.current().info.attempt - 1)));

/** The activities of erasures. What is done, and how far it has got, the database knows. */
export const createErasureActivities = (tools: ErasureTools): ErasureActivities => {
  const guarded = guardedBy(tools);
  return {
    eraseRows: guarded((ref) => untilOver(tools, () => eraseRows(tools, ref))),
    deleteRows: guarded((ref) => untilOver(tools, () => deleteRows(tools, ref))),
  };
};

/** Works until nothing is left or the time is over. @returns whether there is more */
const untilOver = async ({ now, callMs }: ErasureTools, batch: () => Promise<boolean>): Promise<boolean> => {
  const endsAt = now().getTime() + callMs;
  const context = Context.current();
  do {
    context.cancellationSignal.throwIfAborted();
    context.heartbeat();
    if (await batch()) return false;
  } while (now().getTime() < endsAt);
  return true;
};

/** @returns whether it is over */
const eraseRows = async ({ doors, logger }: ErasureTools, { tenantId, erasureId }: ErasureRef): Promise<boolean> => {
  const rows = rowsOfAttempt(ROWS_OF_PERSON);
  const isOver = await doors.asWorker(tenantId, (tx) => eraseBatch(tx, tenantId, erasureId, rows));
  if (isOver) logger.info({ tenantId, erasureId }, 'an erasure is over');
  return isOver;
};

/** @returns whether it is over */
const deleteRows = async ({ doors, logger }: ErasureTools, { tenantId }: DeletionRef): Promise<boolean> => {
  const { removed, finished } = await doors.asSystem.deleteTenant(tenantId, rowsOfAttempt(ROWS_OF_TENANT));
  if (finished) logger.info({ tenantId }, 'the deletion of a tenant is over');
  else if (removed === 0) throw new AppError('unavailable', 'tenant-held', 'Another worker is at this tenant.');
  return finished;
};
