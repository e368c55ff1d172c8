import { Context } from '@temporalio/activity';
import {
  advanceEncoderChange,
  type Doors,
  type EncoderChangeStep,
  type Logger,
  type ReembedActivities,
  type ReembedRef,
} from '@tempera/platform';
import { guardedBy } from '../activities/guarded.js';

export interface ReembedTools {
  readonly doors: Pick<Doors, 'asWorker'>;
  readonly now: () => Date;
  /** After this long a call begins no further batch. */
  readonly callMs: number;
  readonly logger: Logger;
  readonly newId: () => string;
}

/** Texts that are promised at once, and rows of one transaction: few enough that what is captured meanwhile is read soon. */
const ROWS = 100;

/** The activity of a change of encoder. What is done, and how far it has got, the database knows. */
export const createReembedActivities = (tools: ReembedTools): ReembedActivities => ({
  moveEncoderChange: guardedBy(tools)((ref: ReembedRef) => untilItWaits(tools, ref)),
});

const untilItWaits = async (
  { doors, now, callMs, logger }: ReembedTools,
  { tenantId }: ReembedRef,
): Promise<EncoderChangeStep> => {
  const endsAt = now().getTime() + callMs;
  const context = Context.current();
  let step: EncoderChangeStep;
  do {
    context.cancellationSignal.throwIfAborted();
    context.heartbeat();
    step = await doors.asWorker(tenantId, (tx) => advanceEncoderChange(tx, ROWS));
  } while (step === 'more' && now().getTime() < endsAt);
  if (step === 'over') logger.info({ tenantId }, 'a change of encoder has nothing left to do');
  return step;
};
