import { Context } from '@temporalio/activity';
import { type Doors, type ExportActivities, type ExportRef, failExport, type Logger } from '@tempera/platform';
import { guardedBy } from '../activities/guarded.js';
import { finish } from './finish-export.js';
import { writePage } from './write-page.js';

export interface ExportTools {
  /** `asTenant`: an export is written in the name of who asked for it (docs/design.md R5). */
  readonly doors: Pick<Doors, 'asTenant' | 'asWorker'>;
  readonly now: () => Date;
  /** After this long a call begins no further page. */
  readonly callMs: number;
  readonly logger: Logger;
  readonly newId: () => string;
}

/** The activities of an export, over one set of doors. */
export const createExportActivities = (tools: ExportTools): ExportActivities => {
  const guarded = guardedBy(tools);
  return {
    writePages: guarded((ref) => writePages(tools, ref)),
    finishExport: guarded((ref) => finishAndTell(tools, ref)),
    failExport: guarded(async ({ failure, ...ref }) => {
      await tools.doors.asWorker(ref.tenantId, (tx) => failExport(tx, ref.tenantId, ref.exportId, failure));
      tools.logger.warn({ ...ref, failure }, 'an export failed');
    }),
  };
};

/** Shows that a call lives, and learns that it should stop. @throws CancelledFailure */
const beat = (): void => {
  const context = Context.current();
  context.cancellationSignal.throwIfAborted();
  context.heartbeat();
};

const writePages = async ({ doors, now, callMs }: ExportTools, ref: ExportRef): Promise<boolean> => {
  const endsAt = now().getTime() + callMs;
  for (;;) {
    beat();
    if (!(await writePage(doors, ref))) return false;
    if (now().getTime() >= endsAt) return true;
  }
};

const finishAndTell = async (tools: ExportTools, ref: ExportRef): Promise<void> => {
  const memories = await finish(tools, ref, beat);
  tools.logger.info({ ...ref, memories }, 'an export was completed');
};
