import type { DistilActivities, DistilRef, Doors, Logger } from '@tempera/platform';
import { readConversationOwner, readSettings } from '@tempera/platform';
import { guardedBy } from '../activities/guarded.js';
import { distilPage } from './distil-page.js';

export interface DistilTools {
  /** `asTenant`: a conversation is read in the name of whoever had it (docs/design.md R5). */
  readonly doors: Pick<Doors, 'asTenant' | 'asWorker'>;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly newId: () => string;
}

/** The activities of distilling, over one set of doors. */
export const createDistilActivities = (tools: DistilTools): DistilActivities => {
  const guarded = guardedBy(tools);
  return {
    quietSeconds: guarded(({ tenantId }: DistilRef) =>
      tools.doors.asWorker(
        tenantId,
        async (tx) => 60 * (await readSettings(tx, tenantId, null)).storage.distilQuietMinutes,
      ),
    ),
    distilTurns: guarded((ref: DistilRef) => distilTurns(tools, ref)),
  };
};

const distilTurns = async (tools: DistilTools, ref: DistilRef): Promise<boolean> => {
  const { tenantId, conversationId } = ref;
  const userId = await tools.doors.asWorker(tenantId, (tx) => readConversationOwner(tx, tenantId, conversationId));
  // Erased or purged meanwhile: there is nothing to read any more.
  if (userId === null) return false;
  const { isMore, pending, refused } = await distilPage(tools, { tenantId, userId }, conversationId);
  tools.logger.info({ ...ref, pending, refused }, 'a conversation was distilled');
  return isMore;
};
